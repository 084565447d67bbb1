// test: long
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import pino from 'pino';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import type { Caller } from '../../api/access/caller.ts';
import { buildApp } from '../../api/app.ts';
import { UnreadBytes } from '../../api/streams/eventStream.ts';
import { OpenStreams } from '../../api/streams/openStreams.ts';
import { WorkspaceFollowers } from '../../api/streams/workspaceFollowers.ts';
import { AccessFeed } from '../../engine/feeds/accessFeed.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { DatabaseListener } from '../../engine/feeds/databaseListener.ts';
import { QueueFeed } from '../../engine/queues/queueFeed.ts';
import { insertApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { CHANGE_CHANNEL } from '../../prisma/store/execution/recordProgress.ts';
import { followWorkspace } from '../setup/api/workspaceEvents.ts';
import { poll } from '../setup/jest/poll.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

const log = pino({ level: 'silent' });
const UNREAD = 20_000;
const KEPT = 50;
let own: OwnApi;
let writer: pg.Client;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  own = await startOwnApi({ MAX_STREAMS_PER_CALLER: '3', MAX_STREAMS_PER_WORKSPACE: '5' });
  writer = new pg.Client({ connectionString: own.services.config.DATABASE_URL });
  await writer.connect();
  // Foreign keys are not under test.
  await writer.query('SET session_replication_role = replica');
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(async () => {
  await writer?.end();
  await own?.dispose();
});

class CountedFeed extends QueueFeed {
  subscribers = 0;

  override subscribe(...args: Parameters<QueueFeed['subscribe']>): () => void {
    this.subscribers += 1;
    const stop = super.subscribe(...args);
    return () => {
      this.subscribers -= 1;
      stop();
    };
  }
}

/** An API process that is notified about changes. `keptMs`: WORKSPACE_STREAM_KEPT_MS. */
async function process({ keptMs = 30_000 } = {}) {
  const { database } = own;
  const feed = new ChangeFeed({ database, pollMs: 3_600_000, log });
  const channels = { [CHANGE_CHANNEL]: (payload: string) => feed.notified(payload) };
  const listener = new DatabaseListener({ url: own.services.config.DATABASE_URL as string, channels, log });
  const queueFeed = new CountedFeed();
  const workspaceFollowers = new WorkspaceFollowers({
    ...{ database, feed, queueFeed, listener, log, unread: new UnreadBytes(UNREAD) },
    ...{ gatherMs: 20, pauseMs: 20, queueLookMs: 5_000, heartbeatMs: 15_000 },
    ...{ maxGathered: 5_000, maxKept: KEPT, keptMs },
  });
  const openStreams = new OpenStreams({ database, accessFeed: new AccessFeed(), recheckMs: 15_000, log });
  ends.push(async () => {
    workspaceFollowers.stop();
    openStreams.stop();
    feed.stop();
    await listener.stop();
  });
  await poll(() => listener.hears).toBe(true);
  const url = await own.serve(buildApp({ ...own.services, workspaceFollowers, openStreams }));
  return { url, workspaceFollowers, queueFeed };
}

async function key(): Promise<string> {
  const { key: credential, hash, prefix } = makeApiKey();
  const row = { id: v7(), name: 'k', hash, prefix, permissions: ['executions:read' as const], expiresAt: null };
  await insertApiKey(own.database, own.workspaceId, row);
  return credential;
}

async function follow(url: string, credential: string, lastEventId?: string) {
  const stream = await followWorkspace(url, credential, lastEventId);
  ends.push(() => stream.close());
  return stream;
}

test('a caller, and a workspace, have at most so many streams of it, and a new one when another ends', async () => {
  const { url } = await process();
  const [one, two, three] = [await key(), await key(), await key()];
  const refused = async (credential: string) => {
    const answer = await fetch(`${url}/api/stream`, { headers: { 'x-api-key': credential } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    return [answer.status, ((await answer.json()) as { code: string }).code];
  };
  const opened = await Promise.all([1, 2, 3].map(() => follow(url, one)));
  expect(await refused(one)).toEqual([429, 'RATE_LIMITED']);
  const others = [await follow(url, two), await follow(url, two)];
  // The limit of the workspace: this caller has no stream.
  expect(await refused(three)).toEqual([429, 'RATE_LIMITED']);
  expect([...opened, ...others].every(({ events }) => events[0]?.event === 'heartbeat')).toBe(true);
  opened[0]?.close();
  await poll(() =>
    follow(url, three).then(
      () => true,
      () => false,
    ),
  ).toBe(true);
  expect(await refused(one)).toEqual([429, 'RATE_LIMITED']);
});

test('of a follower who does not read little is kept; it is broken off, and reads again when it comes back', async () => {
  const { url, workspaceFollowers } = await process();
  const credential = await key();
  const reader = await follow(url, credential);
  const caller = { workspaceId: own.workspaceId, permissions: new Set(['executions:read']) } as unknown as Caller;
  const slow = await workspaceFollowers.follow({ caller });
  const broken = new Promise<Error>((resolve) => slow.once('error', resolve));
  const firstId = reader.lastId();
  const id = v7();
  await writer.query(
    `INSERT INTO executions (id, workspace_id, version_id, workflow_id, number, name, source, status, trigger, variables)
     VALUES ($1, $2, gen_random_uuid(), gen_random_uuid(), 1, 'w', 'WORKFLOW', 'PENDING', '{}', '{}')`,
    [id, own.workspaceId],
  );
  let most = 0;
  let rounds = 0;
  for (; !slow.destroyed && rounds < 2_000; rounds += 1) {
    const status = rounds % 2 === 0 ? 'RUNNING' : 'WAITING';
    const heard = reader.data('execution.changed').length;
    await writer.query(
      `WITH c AS (UPDATE executions SET status = $2, revision = revision + 1 WHERE id = $1 RETURNING *)
       SELECT pg_notify('${CHANGE_CHANNEL}', c.id || ' ' || c.revision || ' ' || c.status || ' false') FROM c`,
      [id, status],
    );
    await poll(() => reader.data('execution.changed').length).toBeGreaterThan(heard);
    most = Math.max(most, slow.readableLength + (slow as unknown as { writableLength: number }).writableLength);
  }
  expect((await broken).message).toContain('too slowly');
  expect(rounds).toBeGreaterThan(KEPT);
  // Two streams share what is kept, plus one event and the stream's own buffer.
  expect(most).toBeLessThan(UNREAD / 2 + 2 * 65_536 + 1_000);
  // An active reader has received each change; a long transaction elsewhere on the server may add a `resync`.
  expect(reader.data('execution.changed')).toHaveLength(rounds);
  const back = await follow(url, credential, firstId);
  expect(back.events).toMatchObject([{ event: 'resync', id: reader.lastId() }]);
}, 120_000);

test('keeps events for a while after the last follower, then stops listening', async () => {
  const { url, queueFeed } = await process({ keptMs: 200 });
  const credential = await key();
  const [one, two] = [await follow(url, credential), await follow(url, credential)];
  const id = one.lastId();
  one.close();
  await one.ended;
  // A follower remains, so nothing is dropped.
  expect(queueFeed.subscribers).toBe(1);
  const back = await follow(url, credential, id);
  expect(back.events).toMatchObject([{ event: 'heartbeat' }]);
  for (const each of [two, back]) {
    each.close();
    await each.ended;
  }
  await poll(() => queueFeed.subscribers).toBe(0);
  const late = await follow(url, credential, id);
  expect(late.events).toMatchObject([{ event: 'resync' }]);
  expect(queueFeed.subscribers).toBe(1);
});
