// test: long
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { v7 } from 'uuid';
import { readConfig } from '../../config.ts';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import type { ExecutionStart } from '../../engine/engine.ts';
import { StartLine } from '../../engine/executions/startLine.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { createTemporalEngine } from '../../engine/temporal/temporalEngine.ts';
import type { Database } from '../../prisma/client.ts';
import { writeEndRequest } from '../../prisma/store/execution/endRequests.ts';
import { claimUnstarted } from '../../prisma/store/execution/reconcileQueries.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnWorkspace } from '../setup/database/ownRows.ts';
import { poll } from '../setup/jest/poll.ts';

// Tests the start queue without the engine: nothing listens at its address, so calls fail immediately.

const SETTLING_MS = 3_000;
const log = createLog('silent');
const config = readConfig({ TEMPORAL_CALL_TIMEOUT_MS: '500' });
const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
const engine = createTemporalEngine({ client: new Client({ connection }), config, eagerStart: false });

let own: MigratedDatabase;
let database: Database;
let feed: ChangeFeed;
let workspaceId: string;
let line: StartLine;
let calls: Record<string, number>;

beforeAll(async () => {
  own = await startMigratedDatabase(4);
  ({ database } = own);
  workspaceId = await insertOwnWorkspace(database);
  feed = new ChangeFeed({ database, pollMs: 3_600_000, log });
});
afterEach(async () => {
  await line.close();
  await database.execution.deleteMany({ where: { workspaceId } });
});
afterAll(async () => {
  feed?.stop();
  await own?.dispose();
  await connection.close();
});

function makeLine(most: number): void {
  calls = {};
  const metrics = {
    startCalled: (outcome: string) => {
      calls[outcome] = (calls[outcome] ?? 0) + 1;
    },
  };
  line = new StartLine({ database, engine, feed, most, patienceMs: 60_000, metrics, log });
}

async function accepted(count: number): Promise<ExecutionStart[]> {
  const rows = Array.from({ length: count }, (_, number) => ({
    ...{ id: v7(), workspaceId, versionId: v7(), number, name: 'w', source: 'WORKFLOW', trigger: {}, variables: {} },
  }));
  await database.execution.createMany({ data: rows });
  return rows.map(({ id, versionId }) => ({
    ...{ executionId: id, workspaceId, versionId, source: 'WORKFLOW', name: 'w' },
    plan: { nodes: [] } as unknown as ExecutionStart['plan'],
  }));
}

const lapsed = async () =>
  (await claimUnstarted(database, SETTLING_MS, ALL_BUCKETS, 100)).map(({ executionId }) => executionId).sort();

async function claimMs(executionId: string): Promise<number> {
  const { reconciledAt } = await database.execution.findUniqueOrThrow({ where: { id: executionId } });
  return reconciledAt.getTime() - Date.now();
}

test('a start in a line is left to its process while that renews the claim, and free once that has ended', async () => {
  makeLine(2);
  const starts = await accepted(3);
  for (const start of starts) expect(line.startInBackground(start)).toBe(true);
  for (const { executionId } of starts) {
    await poll(() => claimMs(executionId), { timeout: 10_000 }).toBeGreaterThan(SETTLING_MS);
  }
  expect(await lapsed()).toEqual([]);
  await line.close();
  expect(await lapsed()).toEqual(starts.map(({ executionId }) => executionId).sort());
});

test('a claim that its process no longer renews lapses', async () => {
  makeLine(2);
  const [start] = await accepted(1);
  const executionId = start?.executionId as string;
  line.startInBackground(start as ExecutionStart);
  await poll(() => claimMs(executionId), { timeout: 10_000 }).toBeGreaterThan(SETTLING_MS);
  await database.$executeRaw`
    UPDATE executions SET reconciled_at = reconciled_at - interval '25 seconds' WHERE id = ${executionId}::uuid`;
  expect(await lapsed()).toEqual([executionId]);
});

test('while the engine is away only probes are sent: no start is called once more', async () => {
  makeLine(4);
  const probes = jest.spyOn(engine, 'ready');
  for (const start of await accepted(20)) line.startInBackground(start);
  await poll(() => probes.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(4);
  probes.mockRestore();
  // One workspace has half of the places, and all its calls were already sent.
  expect(calls).toEqual({ unanswered: 2 });
});

test('a caller that waits for an execution learns at once that the engine is away; the start stays in the line', async () => {
  makeLine(4);
  const [first, second] = (await accepted(2)) as [ExecutionStart, ExecutionStart];
  expect(await line.start(first)).toBe(false);
  await poll(async () => (await line.start(second)) || line.has(second.executionId)).toBe(true);
  expect([line.has(first.executionId), line.has(second.executionId)]).toEqual([true, true]);
  expect(calls.unanswered).toBeLessThanOrEqual(2);
});

test('an execution that has ended leaves the line', async () => {
  makeLine(2);
  const [start, other] = (await accepted(2)) as [ExecutionStart, ExecutionStart];
  for (const each of [start, other]) line.startInBackground(each);
  const request = { how: 'cancel' as const, reason: 'No more' };
  expect(await writeEndRequest(database, workspaceId, start.executionId, request)).toMatchObject({ endedNow: true });
  await poll(() => line.has(start.executionId), { timeout: 20_000 }).toBe(false);
  expect(line.has(other.executionId)).toBe(true);
});

test('an empty line makes no statement', async () => {
  makeLine(2);
  const statements = jest.spyOn(database, '$queryRaw');
  await new Promise((go) => setTimeout(go, 2_500));
  expect(statements).not.toHaveBeenCalled();
  statements.mockRestore();
});
