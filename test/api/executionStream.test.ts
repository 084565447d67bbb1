// test: pglite
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import pino from 'pino';
import { ExecutionFollowers } from '../../api/executions/executionFollowers.ts';
import { UnreadBytes } from '../../api/streams/eventStream.ts';
import { DEFAULT_READ_LIMITS } from '../../domain/execution/readLimits.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { eventsOf, type StreamEvent } from '../setup/api/events.ts';
import { poll } from '../setup/jest/poll.ts';
import { inject } from '../setup/stack/inject.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const GRAPH = {
  nodes: [
    question('ask'),
    action('a', 'testing.succeed', { output: 1 }),
    action('b', 'testing.succeed', { output: 2 }),
    action('c', 'testing.fail', { times: 1 }, { retry: { maximumAttempts: 2, initialIntervalMs: 50 } }),
  ],
  edges: chain('ask', 'a', 'b', 'c'),
};

async function all(home: Home, executionId: string, headers?: Record<string, string>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of eventsOf(home.api, executionId, headers))
    if (event.event !== 'heartbeat') events.push(event);
  return events;
}

test('a stream sends a snapshot, then progress, and last the end', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy(GRAPH));
  await home.asked(executionId, 'ask');
  const events: StreamEvent[] = [];
  for await (const event of eventsOf(home.api, executionId)) {
    if (event.event === 'heartbeat') continue;
    events.push(event);
    if (events.length === 1) await home.submit(executionId, 'ask', { answer: 'x' });
  }
  expect(events[0]).toMatchObject({
    event: 'execution.progress',
    data: { executionId, status: 'NEEDS_INPUT', statusMessage: null, pendingInput: [{ nodeId: 'ask' }] },
  });
  const last = events.at(-1);
  expect(last).toMatchObject({
    event: 'execution.finished',
    data: { executionId, status: 'COMPLETED', statusMessage: null, output: { attempt: 2 } },
  });
  expect(events.filter(({ event }) => event === 'execution.finished')).toHaveLength(1);
  for (const { id, data } of events) expect(Number(id)).toBe(data.revision);
  const revisions = events.slice(0, -1).map(({ data }) => data.revision);
  expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
  expect(Object.keys(last?.data).sort()).toEqual([
    'executionId',
    'executionPath',
    'output',
    'revision',
    'status',
    'statusMessage',
  ]);
  expect(last?.data.executionPath).toEqual((await home.read(executionId)).executionPath);
});

test('the stream of an execution that has ended is its end alone, whatever the last id', async () => {
  const home = await makeHome();
  const execution = await home.run({ nodes: [action('a', 'core.set', { values: { x: 1 } })] });
  const events = await all(home, execution.id);
  expect(events.map(({ event }) => event)).toEqual(['execution.finished']);
  const [end] = events;
  expect(end?.data).toMatchObject({ status: 'COMPLETED', output: { x: 1 }, executionPath: execution.executionPath });
  for (const id of ['0', String(end?.id), '999', 'none']) {
    expect(await all(home, execution.id, { 'last-event-id': id })).toEqual(events);
  }
});

test('a stream with Last-Event-ID continues after that event', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy(GRAPH));
  const { revision } = await home.asked(executionId, 'ask');
  const following = all(home, executionId, { 'last-event-id': String(revision) });
  const behind = eventsOf(home.api, executionId, { 'last-event-id': String(revision - 1) });
  expect((await behind.next()).value?.data.revision).toBe(revision);
  await behind.return();
  await home.submit(executionId, 'ask', { answer: 'x' });
  const events = await following;
  expect(events.length).toBeGreaterThan(0);
  for (const { data } of events) expect(data.revision).toBeGreaterThan(revision);
  expect(events.at(-1)?.event).toBe('execution.finished');
});

test('fifty followers all receive the end', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy(GRAPH));
  await home.asked(executionId, 'ask');
  let arrived = 0;
  const follow = async () => {
    const events: StreamEvent[] = [];
    for await (const event of eventsOf(home.api, executionId)) {
      if (event.event === 'heartbeat') continue;
      events.push(event);
      if (events.length > 1) continue;
      arrived += 1;
      if (arrived === 50) await home.submit(executionId, 'ask', { answer: 'x' });
    }
    return events;
  };
  const received = await Promise.all(Array.from({ length: 50 }, follow));
  const end = received[0]?.at(-1);
  expect(end).toMatchObject({ event: 'execution.finished', data: { status: 'COMPLETED' } });
  for (const events of received) expect(events.at(-1)).toEqual(end);
  // One read serves all followers of an API process. Processes may combine changes differently.
  const different = new Set(received.map((events) => JSON.stringify(events)));
  expect(different.size).toBeLessThanOrEqual(inject('stack').apis);
});

/** The shared stack's database. Calls `seen`, which may throw, before each read of a followed execution. */
function watchedReads(seen: () => void): Database {
  return new Proxy(stackDatabase(), {
    get(target, name) {
      const member = Reflect.get(target, name);
      if (name !== '$queryRaw') return member;
      return async (texts: TemplateStringsArray, ...values: unknown[]) => {
        if (texts.join('').includes('AS "executionPath"')) seen();
        return target.$queryRaw(texts, ...values);
      };
    },
  }) as Database;
}

test('sends a change even if its first read failed', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
  await home.asked(executionId, 'ask');
  let failures = -1;
  const database = watchedReads(() => {
    failures += 1;
    // The first read is the snapshot. Then the database is unavailable exactly when the execution ends.
    if (failures === 1 || failures === 2) throw new Error('the database is away');
  });
  const { feed, followers } = followersOn(database);
  try {
    // An invalid revision must not keep the end from its follower either.
    const streams = [await followers.follow(home.workspaceId, executionId)];
    failures = -1;
    streams.push(await followers.follow(home.workspaceId, executionId, 1_000_000));
    await home.submit(executionId, 'ask', { answer: 'x' });
    for (const stream of streams) {
      let text = '';
      for await (const chunk of stream ?? []) text += chunk;
      expect(text).toContain('event: execution.finished');
    }
    expect(failures).toBeGreaterThan(1);
  } finally {
    followers.stop();
    await feed.stop();
  }
});

test('many followers cause one read for each change', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy(GRAPH));
  await home.asked(executionId, 'ask');
  let reads = 0;
  const database = watchedReads(() => {
    reads += 1;
  });
  const { feed, followers } = followersOn(database);
  try {
    const streams = await Promise.all(
      Array.from({ length: 50 }, () => followers.follow(home.workspaceId, executionId)),
    );
    const texts = streams.map(async (stream) => {
      let text = '';
      for await (const chunk of stream ?? []) text += chunk;
      return text;
    });
    reads = 0;
    const { revision } = await home.read(executionId).then(() => home.asked(executionId, 'ask'));
    await home.submit(executionId, 'ask', { answer: 'x' });
    const received = await Promise.all(texts);
    const end = Number(/id: (\d+)\nevent: execution.finished/.exec(received[0] ?? '')?.[1]);
    expect(new Set(received).size).toBe(1);
    expect(reads).toBeGreaterThan(0);
    // The feed's first poll is sent even if nothing has changed.
    expect(reads).toBeLessThanOrEqual(end - revision + 1);
  } finally {
    followers.stop();
    await feed.stop();
  }
});

test("another workspace's execution, and none at all, are 404", async () => {
  const home = await makeHome();
  const stranger = await makeHome();
  const execution = await stranger.run({ nodes: [action('a', 'core.set', { values: {} })] });
  for (const id of [execution.id, '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', 'nothing']) {
    expect(await home.api('GET', `/api/executions/${id}/stream`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  }
});

test('a stranger receives nothing about an execution that its owner follows', async () => {
  const home = await makeHome();
  const stranger = await makeHome();
  const executionId = await home.execute(await home.deploy(GRAPH));
  await home.asked(executionId, 'ask');
  const following = all(home, executionId);
  expect((await stranger.api('GET', `/api/executions/${executionId}/stream`)).status).toBe(404);
  await home.submit(executionId, 'ask', { answer: 'x' });
  expect((await following).at(-1)?.event).toBe('execution.finished');
});

test('an earlier request of another workspace does not keep the owner from following', async () => {
  const home = await makeHome();
  const stranger = await makeHome();
  const executionId = await home.execute(await home.deploy(GRAPH));
  await home.asked(executionId, 'ask');
  const { feed, followers } = followersOn(stackDatabase());
  try {
    const [strange, own] = await Promise.all(
      [stranger, home].map(({ workspaceId }) => followers.follow(workspaceId, executionId)),
    );
    expect(strange).toBeUndefined();
    expect(await firstOf(own)).toContain('execution.progress');
  } finally {
    followers.stop();
    await feed.stop();
  }
});

test('sends no heartbeat before the first snapshot', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy(GRAPH));
  await home.asked(executionId, 'ask');
  const { feed, followers } = followersOn(stackDatabase(), 1);
  try {
    for (let follower = 0; follower < 20; follower++) {
      const stream = await followers.follow(home.workspaceId, executionId);
      expect(await firstOf(stream)).toMatch(/^id: \d+\nevent: execution.progress/);
    }
  } finally {
    followers.stop();
    await feed.stop();
  }
});

async function firstOf(stream: Readable | undefined): Promise<string> {
  for await (const chunk of stream ?? []) return String(chunk);
  return '';
}

function followersOn(database: Database, heartbeatMs = 60_000) {
  const log = pino({ level: 'silent' });
  const feed = new ChangeFeed({ database, pollMs: 20, log });
  const followers = new ExecutionFollowers({
    database,
    feed,
    catalogue: new Map(),
    limits: DEFAULT_READ_LIMITS,
    maxPauseMs: 1_000,
    heartbeatMs,
    unread: new UnreadBytes(100_000_000),
    log,
  });
  return { feed, followers };
}

test('a caller has at most MAX_STREAMS_PER_CALLER streams, and a new one when another ends', async () => {
  const home = await makeHome();
  const executionId = await home.execute(await home.deploy({ nodes: [question('ask')], edges: [] }));
  await home.asked(executionId, 'ask');
  const { apiUrl } = inject('stack');
  const ends = Array.from({ length: 101 }, () => new AbortController());
  const open = ({ signal }: AbortController) =>
    fetch(`${apiUrl}/api/executions/${executionId}/stream`, { headers: { 'x-api-key': home.apiKey }, signal });
  const [last, ...others] = ends as [AbortController, ...AbortController[]];
  const opened = await Promise.all(others.map(open));
  expect(new Set(opened.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await open(last);
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  others[0]?.abort();
  await poll(async () => (await open(new AbortController())).status).toBe(200);
  for (const end of others) end.abort();
});
