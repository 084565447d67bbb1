// test: pglite

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { ExecutionFollowers } from '../../api/executions/executionFollowers.ts';
import { UnreadBytes } from '../../api/streams/eventStream.ts';
import { DEFAULT_READ_LIMITS } from '../../domain/execution/readLimits.ts';
import { ProgressWriter } from '../../engine/executions/progressWriter.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { FollowedWorkspaces } from '../../engine/feeds/followedWorkspaces.ts';
import { createDatabase } from '../../prisma/client.ts';
import { canListen } from '../../prisma/store/database/capabilities.ts';
import { readStates } from '../../prisma/store/execution/readSnapshot.ts';
import { CHANGE_CHANNEL, type Change, recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';
import { poll } from '../setup/jest/poll.ts';

describe('following', () => {
  // A write looks for followers while it runs. Someone who starts following meanwhile sees its result or is notified.

  const FOR_EVER = 3_600_000;
  const log = createLog('silent');
  let own: MigratedDatabase;
  /** The connection of another process. */
  let writer: pg.Client;
  let listener: pg.Client;
  const heard: string[] = [];

  beforeAll(async () => {
    own = await startMigratedDatabase(4);
    [writer, listener] = [new pg.Client({ connectionString: own.url }), new pg.Client({ connectionString: own.url })];
    await writer.connect();
    await listener.connect();
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    await listener.query(`LISTEN ${CHANGE_CHANNEL}`);
  });
  afterAll(async () => {
    await writer?.end();
    await listener?.end();
    await own?.dispose();
  });

  const PROGRESS = "SELECT * FROM record_progress($1, $2, '[]', NULL, '', NULL, NULL, NULL, NULL, NULL)";

  /** Writes progress in a transaction that has looked for followers but has not committed. */
  async function halfWritten({ workspaceId, executionId }: { workspaceId: string; executionId: string }) {
    await writer.query('BEGIN');
    await writer.query(PROGRESS, [workspaceId, executionId]);
  }

  async function newsOf(executionId: string): Promise<string[]> {
    const end = `end of ${executionId} ${heard.length}`;
    await own.database.pool.query('SELECT pg_notify($1, $2)', [CHANGE_CHANNEL, end]);
    await poll(() => heard).toContain(end);
    return heard.filter((payload) => payload.startsWith(executionId)).map((payload) => payload.split(' ')[1] ?? '');
  }

  test('a follower that begins while a write runs waits for it, reads what it wrote, and hears of the next', async () => {
    const feed = new ChangeFeed({ database: own.database, pollMs: FOR_EVER, log });
    const execution = await insertOwnExecution(own.database);
    const { workspaceId, executionId } = execution;
    await halfWritten(execution);
    const following = feed.follow(executionId, () => undefined);
    let hasBegun = false;
    const begun = following.begun().then(() => {
      hasBegun = true;
    });
    await new Promise((go) => setTimeout(go, 200));
    expect(hasBegun).toBe(false);
    await writer.query('COMMIT');
    await begun;
    expect(await readStates(own.database, [executionId])).toMatchObject([{ revision: 1, status: 'RUNNING' }]);
    expect(await newsOf(executionId)).toEqual([]);
    await recordProgress(own.database, workspaceId, executionId, { steps: [] });
    expect(await newsOf(executionId)).toEqual(['2']);
    following.stop();
    feed.stop();
  });

  test('the answer of a respond node reaches a caller in another process while the execution continues', async () => {
    const { workspaceId, executionId } = await insertOwnExecution(own.database, { notice: 'each' });
    const feed = new ChangeFeed({ database: own.database, pollMs: FOR_EVER, log });
    const seen: Change[] = [];
    feed.subscribe(executionId, (change) => seen.push(change));
    const response = { status: 418, headers: {}, body: 'short and stout' };
    await recordProgress(own.database, workspaceId, executionId, { steps: [], response });
    expect(await newsOf(executionId)).toEqual(['1']);
    for (const payload of heard) feed.notified(payload);
    expect(seen).toEqual([{ executionId, revision: 1, status: 'RUNNING', responded: true }]);
    feed.stop();
  });

  test('a dead follower is forgotten after its time', async () => {
    const { workspaceId, executionId } = await insertOwnExecution(own.database);
    const feed = new ChangeFeed({ database: own.database, pollMs: FOR_EVER, log });
    await feed.follow(executionId, () => undefined).begun();
    feed.stop();
    await recordProgress(own.database, workspaceId, executionId, { steps: [] });
    expect(await newsOf(executionId)).toEqual(['1']);
    await own.database.pool.query(
      "UPDATE executions SET followed_until = followed_until - interval '1 minute' WHERE id = $1",
      [executionId],
    );
    await recordProgress(own.database, workspaceId, executionId, { steps: [] });
    expect(await newsOf(executionId)).toEqual(['1']);
  });

  test('after a gap followers register again, and changes of meanwhile are delivered', async () => {
    const { workspaceId, executionId } = await insertOwnExecution(own.database);
    const feed = new ChangeFeed({ database: own.database, pollMs: FOR_EVER, log });
    const seen: number[] = [];
    await feed.follow(executionId, ({ revision }) => seen.push(revision)).begun();
    // The state after a failover that has lost the last moments.
    await own.database.execution.update({ where: { id: executionId }, data: { followedUntil: null } });
    await recordProgress(own.database, workspaceId, executionId, { steps: [] });
    expect(await newsOf(executionId)).toEqual([]);
    await feed.again();
    expect(seen).toEqual([1]);
    await recordProgress(own.database, workspaceId, executionId, { steps: [] });
    expect(await newsOf(executionId)).toEqual(['2']);
    feed.stop();
  });

  test('a workspace is followed once each write that runs has ended', async () => {
    const execution = await insertOwnExecution(own.database);
    const { workspaceId, executionId } = execution;
    let missed = 0;
    const database = createDatabase(own.url, 2);
    const followed = new FollowedWorkspaces({ database, log, missed: () => (missed += 1) });
    await halfWritten(execution);
    let hasBegun = false;
    const begun = followed.add(workspaceId).then(() => {
      hasBegun = true;
    });
    await new Promise((go) => setTimeout(go, 100));
    expect(hasBegun).toBe(false);
    await writer.query('COMMIT');
    await begun;
    expect(missed).toBe(0);
    await recordProgress(own.database, workspaceId, executionId, { steps: [] });
    expect(await newsOf(executionId)).toEqual(['2']);
    followed.remove(workspaceId);
    await database.close();
  });

  test('a long write does not delay followers: they get a resync when it has ended', async () => {
    // PGlite has one session, so nothing runs next to a transaction.
    if (!(await canListen(own.database))) return;
    const execution = await insertOwnExecution(own.database);
    let missed = 0;
    const followed = new FollowedWorkspaces({ database: own.database, log, missed: () => (missed += 1) });
    await halfWritten(execution);
    await followed.add(execution.workspaceId);
    await new Promise((go) => setTimeout(go, 1_500));
    expect(missed).toBe(0);
    await writer.query('COMMIT');
    await poll(() => missed).toBe(1);
    followed.remove(execution.workspaceId);
  });

  test('a transaction of another database of the server keeps nobody waiting, and nothing was missed', async () => {
    if (!(await canListen(own.database))) return;
    const { workspaceId } = await insertOwnExecution(own.database);
    let missed = 0;
    const followed = new FollowedWorkspaces({ database: own.database, log, missed: () => (missed += 1) });
    const elsewhere = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await elsewhere.connect();
    try {
      await elsewhere.query('BEGIN');
      await elsewhere.query('SELECT pg_current_xact_id()');
      await followed.add(workspaceId);
      // Late writes are checked every second.
      await elsewhere.query('COMMIT');
      await new Promise((go) => setTimeout(go, 1_500));
      expect(missed).toBe(0);
    } finally {
      await elsewhere.end();
      followed.remove(workspaceId);
    }
  });

  test('nothing is missed where a crash of the database has emptied the table', async () => {
    const { workspaceId, executionId } = await insertOwnExecution(own.database);
    let missed = 0;
    const followed = new FollowedWorkspaces({ database: own.database, log, missed: () => (missed += 1) });
    await followed.add(workspaceId);
    await own.database.pool.query('TRUNCATE followed_workspaces');
    await recordProgress(own.database, workspaceId, executionId, { steps: [] });
    expect(await newsOf(executionId)).toEqual([]);
    followed.again();
    await poll(() => missed).toBe(1);
    await recordProgress(own.database, workspaceId, executionId, { steps: [] });
    expect(await newsOf(executionId)).toEqual(['2']);
    followed.remove(workspaceId);
  });
});

describe('followers', () => {
  const FOR_EVER = 3_600_000;
  const log = createLog('silent');

  let own: MigratedDatabase;
  let feed: ChangeFeed;
  let writer: ProgressWriter;
  let followers: ExecutionFollowers;

  beforeAll(async () => {
    own = await startMigratedDatabase(4);
    const { database } = own;
    feed = new ChangeFeed({ database, pollMs: FOR_EVER, log });
    writer = new ProgressWriter(database, feed, { writes: 100, bytes: 1_000_000, gatherMs: 1 });
    const options = { database, feed, catalogue: new Map(), limits: DEFAULT_READ_LIMITS, maxPauseMs: 50, log };
    const unread = new UnreadBytes(100_000_000);
    followers = new ExecutionFollowers({ ...options, heartbeatMs: FOR_EVER, unread });
  });
  afterAll(async () => {
    followers?.stop();
    await feed?.stop();
    await own?.dispose();
  });

  async function said(stream: Readable): Promise<string> {
    let text = '';
    stream.on('data', (part) => {
      text += part;
    });
    await once(stream, 'end');
    return text;
  }

  test('all followers of an execution hear of each change, and of the end', async () => {
    const { workspaceId, executionId } = await insertOwnExecution(own.database);
    const streams = await Promise.all([1, 2].map(() => followers.follow(workspaceId, executionId)));
    expect(followers.count).toBe(2);
    const heard = streams.map((stream) => said(stream as Readable));
    await writer.record(workspaceId, executionId, { steps: [], end: { status: 'COMPLETED', output: 7 } });
    for (const text of await Promise.all(heard)) {
      const events = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
      expect(events[0]).toBe('execution.progress');
      expect(events.at(-1)).toBe('execution.finished');
      expect(text).toContain('"output":7');
    }
    expect(followers.count).toBe(0);
  });

  test('an execution of another workspace is not followed, and a follower that left is dropped', async () => {
    const { workspaceId, executionId } = await insertOwnExecution(own.database);
    const other = await insertOwnExecution(own.database);
    expect(await followers.follow(other.workspaceId, executionId)).toBeUndefined();
    const leaves = new AbortController();
    const stream = await followers.follow(workspaceId, executionId, undefined, leaves.signal);
    expect(followers.count).toBe(1);
    leaves.abort();
    await once(stream as Readable, 'close');
    expect(followers.count).toBe(0);
  });
});
