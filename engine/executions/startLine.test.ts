import { afterAll, afterEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { v7 } from 'uuid';
import { readConfig } from '../../config.ts';
import { createDatabase } from '../../prisma/client.ts';
import { createLog } from '../../process/log.ts';
import { poll } from '../../test/setup/jest/poll.ts';
import type { ExecutionStart } from '../engine.ts';
import { ChangeFeed } from '../feeds/changeFeed.ts';
import { createTemporalEngine } from '../temporal/temporalEngine.ts';
import { StartLine } from './startLine.ts';

const NOWHERE = '127.0.0.1:1';
const log = createLog('silent');
// An unavailable engine keeps a start in flight for the time of a call, longer than the pauses of a busy machine. The
// connection stays open, because abandoned calls retry for a while.
const connection = Connection.lazy({ address: NOWHERE });
const config = readConfig({ TEMPORAL_CALL_TIMEOUT_MS: '3000' });
const engine = createTemporalEngine({ client: new Client({ connection }), config, eagerStart: false });
const database = createDatabase(`postgres://${NOWHERE}/none`, 1);
const feed = new ChangeFeed({ database, pollMs: 3_600_000, log });

let line: StartLine;
afterEach(() => line?.close());
afterAll(async () => {
  await feed.stop();
  await database.close();
});

function execution(workspaceId: string): ExecutionStart {
  return {
    executionId: v7(),
    workspaceId,
    source: 'SDK',
    name: 'w',
    plan: { nodes: [] } as unknown as ExecutionStart['plan'],
  };
}

/** One start of workspace `a` is in flight, and the line contains as many as it allows for one workspace. */
async function longLine(): Promise<void> {
  line = new StartLine({ database, engine, feed, most: 2, patienceMs: 60_000, longest: 8, log });
  // Awaited, so that its call ends after the time of a request.
  void line.start(execution('a'));
  await new Promise((go) => setImmediate(go));
  expect(Array.from({ length: 10 }, () => line.startInBackground(execution('a')))).toEqual([
    ...Array(4).fill(true),
    ...Array(6).fill(false),
  ]);
}

test('one workspace fills half of the line: others find a place', async () => {
  await longLine();
  expect(['b', 'b', 'b', 'c', 'd', 'a'].map((each) => line.startInBackground(execution(each)))).toEqual([
    ...[true, true, false, true, true, false],
  ]);
});

test('a caller that waits for an execution learns at once that the line is full, and counts like the others', async () => {
  await longLine();
  expect(await line.start(execution('a'))).toBe(false);
  void line.start(execution('b'));
  void line.start(execution('b'));
  expect(line.startInBackground(execution('b'))).toBe(false);
});

test('a waiting execution is not queued twice, and a started one makes room', async () => {
  await longLine();
  const late = execution('b');
  expect([line.startInBackground(late), line.startInBackground(late), line.has(late.executionId)]).toEqual([
    true,
    false,
    true,
  ]);
  await poll(() => line.startInBackground(execution('a'))).toBe(true);
});
