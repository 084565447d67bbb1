// test: long
import type { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import pino from 'pino';
import { ExecutionFollowers } from '../../api/executions/executionFollowers.ts';
import { UnreadBytes } from '../../api/streams/eventStream.ts';
import { DEFAULT_READ_LIMITS } from '../../domain/execution/readLimits.ts';
import type { ExecutionStatus } from '../../domain/execution/status.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { eventsOf, type StreamEvent } from '../setup/api/events.ts';
import { insertLoopSteps } from '../setup/database/loopRows.ts';
import { action, control, edges, question } from '../setup/workspace/graph.ts';
import { makeHome, stepOf } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const FOLLOWERS = 100;
const CHANGES = 200;
const TIMEOUT_MS = 120_000;

async function collect(stream: Readable | undefined, onText: (text: string) => void = () => undefined) {
  let all = '';
  for await (const chunk of stream ?? []) {
    all += chunk;
    onText(String(chunk));
  }
  return all;
}

function eventsIn(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  const onEvent = ({ event = 'message', id, data }: EventSourceMessage) =>
    void events.push({ event, id, data: JSON.parse(data) });
  createParser({ onEvent }).feed(text);
  return events;
}

test(
  'a hundred followers of a long loop: totals as they change, few snapshots, one read for all, the end at once',
  async () => {
    const home = await makeHome();
    const executionId = await home.execute(await home.deploy({ nodes: [question('ask')] }));
    await home.asked(executionId, 'ask');
    const database = stackDatabase();
    await insertLoopSteps(
      database,
      { workspaceId: home.workspaceId, executionId },
      {
        prefix: 'loop:',
        nodeId: 'leaf',
        iterations: 1_200,
      },
    );
    await database.$executeRaw`
    INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, label, type, status, started_at,
      iterations_total, iterations_completed, iterations_failed)
    VALUES (gen_random_uuid(), ${executionId}::uuid, ${home.workspaceId}::uuid, 'loop', 'Loop', 'forEach', 'RUNNING',
      now(), 2000, 0, 0)`;

    let snapshots = 0;
    const counted = new Proxy(database, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (name !== '$queryRaw') return member;
        return (texts: TemplateStringsArray, ...values: unknown[]) => {
          if (texts.join('').includes('executionPath')) snapshots += 1;
          return target.$queryRaw(texts, ...values);
        };
      },
    }) as Database;
    const log = pino({ level: 'silent' });
    const feed = new ChangeFeed({ database: counted, pollMs: 600_000, log });
    const followers = new ExecutionFollowers({
      database: counted,
      feed,
      catalogue: new Map(),
      limits: DEFAULT_READ_LIMITS,
      // Long enough that the test times out unless the end of the execution ends the pause.
      maxPauseMs: 600_000,
      heartbeatMs: 600_000,
      unread: new UnreadBytes(100_000_000),
      log,
    });
    const change = async (completed: number, status: ExecutionStatus) => {
      await database.$executeRaw`
      UPDATE execution_steps SET iterations_completed = ${completed}::int
      WHERE execution_id = ${executionId}::uuid AND node_id = 'loop'`;
      const [row] = await database.$queryRaw<{ revision: number }[]>`
      UPDATE executions SET revision = revision + 1, status = ${status} WHERE id = ${executionId}::uuid
      RETURNING revision`;
      feed.publish({ executionId, revision: row?.revision ?? 0, status, responded: false });
    };
    try {
      const streams = await Promise.all(
        Array.from({ length: FOLLOWERS }, () => followers.follow(home.workspaceId, executionId)),
      );
      expect(snapshots).toBe(1);
      let heard = false;
      const reported = streams.map((stream) =>
        collect(stream, (text) => {
          if (text.includes('event: loop.progress')) heard = true;
        }),
      );
      let changes = 0;
      // A slow read combines any number of changes, so they continue until one is reported.
      while (changes < CHANGES || !heard) {
        changes += 1;
        await change(changes, 'NEEDS_INPUT');
      }
      await change(changes + 1, 'COMPLETED');
      // Compared as texts, because parsing all of them would cost more than the work under test.
      const [text = '', ...others] = await Promise.all(reported);
      expect(others.filter((other) => other !== text)).toHaveLength(0);

      const first = eventsIn(text);
      const names = first.map(({ event }) => event);
      expect(names[0]).toBe('execution.progress');
      // The last event before the end depends on the duration of a read.
      for (const name of names.slice(1, -1)) expect(['execution.progress', 'loop.progress']).toContain(name);
      expect(names.at(-1)).toBe('execution.finished');
      const totals = first.filter(({ event }) => event === 'loop.progress').map(({ data }) => data);
      expect(totals.length).toBeGreaterThan(0);
      for (const data of totals)
        expect(data).toEqual({ executionId, nodeId: 'loop', completed: expect.any(Number), failed: 0, total: 2_000 });
      const completed = totals.map((data) => data.completed);
      expect(completed).toEqual([...new Set(completed)].sort((a, b) => a - b));
      expect(first.at(-1)?.data.executionPath).toHaveLength(1_002);
      expect(first?.[0]?.data.stepsLeftOut).toBe(200);
      expect(first.at(-1)?.data.stepsLeftOut).toBe(200);
      expect(snapshots).toBeLessThan(CHANGES / 4);
    } finally {
      followers.stop();
      await feed.stop();
    }
  },
  TIMEOUT_MS,
);

const isLoop = ({ nodeId }: { nodeId: string }) => nodeId === 'each';

test(
  'a stream sends a loop while its iterations run in child workflows, also while one waits, and then its end',
  async () => {
    const home = await makeHome();
    const items = Array.from({ length: 250 }, (_, index) => index);
    const executionId = await home.execute(
      await home.deploy({
        nodes: [
          control('each', 'forEach', { items, concurrency: 20 }),
          control('is', 'condition', { condition: '{{ loop.index == 150 }}' }, { parentId: 'each' }),
          question('ask', {}, { parentId: 'each' }),
          action('work', 'testing.succeed', { output: '{{ loop.item }}' }, { parentId: 'each' }),
        ],
        edges: edges('is:true>ask', 'is:false>work'),
      }),
    );
    const totals = { completed: expect.any(Number), failed: 0, total: 250 };
    const reported: number[] = [];
    let asked = false;
    let submitted = false;
    let last: StreamEvent | undefined;
    for await (const each of eventsOf(home.api, executionId)) {
      if (each.event === 'heartbeat') continue;
      last = each;
      const { event, data } = each;
      if (event === 'loop.progress') expect(data).toEqual({ executionId, nodeId: 'each', ...totals });
      else asked ||= data.pendingInput?.length > 0;
      const loop = event === 'loop.progress' ? data : data.executionPath.find(isLoop)?.iterations;
      if (!loop) continue;
      expect(loop).toMatchObject(totals);
      reported.push(loop.completed);
      // All except the waiting iteration: the loop ends only after a follower has received that event.
      if (submitted || !asked || loop.completed < 249) continue;
      submitted = true;
      expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBeLessThan(300);
    }
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
    expect(reported).toContain(249);
    expect(last).toMatchObject({ event: 'execution.finished', data: { status: 'COMPLETED' } });
    expect(last?.data.output).toEqual(
      items.map((item) => (item === 150 ? expect.objectContaining({ answer: 'x' }) : item)),
    );
    expect(stepOf(last?.data, 'each')).toMatchObject({ iterations: { completed: 250, failed: 0, total: 250 } });
    expect(stepOf(last?.data, 'work').iteration).toEqual([{ nodeId: 'each', index: expect.any(Number), total: 250 }]);
  },
  TIMEOUT_MS,
);

test('nested loops are sent one by one, in a small execution between its snapshots', async () => {
  const home = await makeHome();
  const executionId = await home.execute(
    await home.deploy({
      nodes: [
        control('outer', 'forEach', { items: [10, 20] }),
        control('inner', 'forEach', { items: [1, 2, 3] }, { parentId: 'outer' }),
        action('work', 'testing.wait', { ms: 30 }, { parentId: 'inner' }),
      ],
    }),
  );
  const events: StreamEvent[] = [];
  for await (const each of eventsOf(home.api, executionId)) if (each.event !== 'heartbeat') events.push(each);
  expect(events[0]?.event).not.toBe('loop.progress');
  const reported = events.filter(({ event }) => event === 'loop.progress').map(({ data }) => data);
  const outer = reported.filter(({ nodeId }) => nodeId === 'outer');
  expect(outer.at(-1)).toEqual({ executionId, nodeId: 'outer', completed: 2, failed: 0, total: 2 });
  for (const index of [0, 1]) {
    const inner = reported.filter(({ nodeId, iteration }) => nodeId === 'inner' && iteration[0].index === index);
    const completed = inner.map((data) => data.completed);
    expect(completed).toEqual([...new Set(completed)].sort());
    const iteration = [{ nodeId: 'outer', index, total: 2 }];
    expect(inner.at(-1)).toEqual({ executionId, nodeId: 'inner', iteration, completed: 3, failed: 0, total: 3 });
  }
  // The snapshot of a revision comes first, so a follower that resumes with any of these ids misses nothing.
  const revisions = events.map(({ id }) => Number(id));
  expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
  for (const [index, { event, id }] of events.entries())
    if (event === 'loop.progress')
      expect(events.slice(0, index).some((one) => one.event === 'execution.progress' && one.id === id)).toBe(true);
  expect(events.at(-1)?.event).toBe('execution.finished');
});

test(
  'a large execution sends every inner loop too, also one that begins and ends between two events',
  async () => {
    const home = await makeHome();
    const items = Array.from({ length: 60 }, (_, index) => index);
    const executionId = await home.execute(
      await home.deploy({
        nodes: [
          // Each iteration has 4 KiB, so full snapshots soon become rare.
          control('outer', 'forEach', { items, concurrency: 6 }),
          control('is', 'condition', { condition: '{{ loop.index == 40 }}' }, { parentId: 'outer' }),
          question('ask', {}, { parentId: 'outer' }),
          action('large', 'testing.payload', { bytes: 4_096 }, { parentId: 'outer' }),
          control('inner', 'forEach', { items: '{{ [loop.index, 1, 2] }}' }, { parentId: 'outer' }),
          action('work', 'testing.succeed', { output: '{{ loop.item }}' }, { parentId: 'inner' }),
        ],
        edges: edges('is:true>ask', 'is:false>large', 'large>inner'),
      }),
    );
    await home.asked(executionId, 'ask');
    const events: StreamEvent[] = [];
    for await (const one of eventsOf(home.api, executionId)) {
      if (one.event === 'heartbeat') continue;
      const isFirst = events.push(one) === 1;
      if (isFirst) expect((await home.submit(executionId, 'ask', { answer: 'x' })).status).toBeLessThan(300);
    }
    expect(events.at(-1)).toMatchObject({ event: 'execution.finished', data: { status: 'COMPLETED' } });
    const shown = events
      .flatMap(({ event, data }) => (event === 'execution.progress' ? data.executionPath : []))
      .filter(({ nodeId, stoppedAt }) => nodeId === 'inner' && stoppedAt)
      .map(({ iteration, iterations }) => ({ index: iteration[0].index, ...iterations }));
    const reported = events
      .flatMap(({ event, data }) => (event === 'loop.progress' && data.nodeId === 'inner' ? [data] : []))
      .map(({ iteration, completed, failed, total }) => ({ index: iteration[0].index, completed, failed, total }));
    const last = new Map([...shown, ...reported].map(({ index, ...counts }) => [index, counts]));
    expect(last.size).toBe(59);
    for (const counts of last.values()) expect(counts).toEqual({ completed: 3, failed: 0, total: 3 });
    const ends = reported.filter(({ completed, total }) => completed === total).map(({ index }) => index);
    expect(ends).toEqual([...new Set(ends)]);
  },
  TIMEOUT_MS,
);
