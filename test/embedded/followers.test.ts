import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ExecutionFollowers } from '../../api/executions/executionFollowers.ts';
import { UnreadBytes } from '../../api/streams/eventStream.ts';
import { DEFAULT_READ_LIMITS } from '../../domain/execution/readLimits.ts';
import { ProgressWriter } from '../../engine/executions/progressWriter.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';

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
  const options = { database, feed, catalogue: new Map(), limits: DEFAULT_READ_LIMITS, mostPauseMs: 50, log };
  const unread = new UnreadBytes(100_000_000);
  followers = new ExecutionFollowers({ ...options, heartbeatMs: FOR_EVER, unread });
});
afterAll(async () => {
  followers?.stop();
  await feed?.stop();
  await own?.dispose();
});

/** All that a stream says until it ends. */
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
