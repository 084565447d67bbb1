// test: long
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { v7 } from 'uuid';
import { readConfig } from '../../config.ts';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import { derivedId } from '../../domain/derivedId.ts';
import type { Definition } from '../../domain/workflow/definition.ts';
import { WorkspaceApps } from '../../engine/apps/workspaceApps.ts';
import { EVERY_BUCKET } from '../../engine/duties/heldBuckets.ts';
import { startUnstarted } from '../../engine/duties/startUnstarted.ts';
import { EngineAway } from '../../engine/engineAway.ts';
import { Evaluation } from '../../engine/evaluation/evaluation.ts';
import { DefinitionCache } from '../../engine/executions/definitionCache.ts';
import { FailureHandler } from '../../engine/executions/failureHandler.ts';
import { Releaser } from '../../engine/executions/releaser.ts';
import { Starter } from '../../engine/executions/starter.ts';
import { StartLine } from '../../engine/executions/startLine.ts';
import { Submissions } from '../../engine/executions/submissions.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { DueFeed } from '../../engine/feeds/dueFeed.ts';
import { Schedules } from '../../engine/schedules/schedules.ts';
import { createTemporalSchedules } from '../../engine/schedules/temporalSchedules.ts';
import { createTemporalEngine } from '../../engine/temporal/temporalEngine.ts';
import type { Database } from '../../prisma/client.ts';
import { claimUnsentAnswers } from '../../prisma/store/execution/reconcileQueries.ts';
import { claimSchedules } from '../../prisma/store/schedule/claimSchedules.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution, insertOwnWorkspace } from '../setup/database/ownRows.ts';

// Runs the reconciler on a real database while the engine is unavailable.

const log = createLog('silent');
const FOR_EVER = 3_600_000;
const config = readConfig({ TEMPORAL_CALL_TIMEOUT_MS: '200' });
/** A start stays in flight for longer than a test. */
const slowConfig = readConfig({ TEMPORAL_CALL_TIMEOUT_MS: '4000' });
// Left open, because abandoned calls retry for a while.
const connection = Connection.lazy({ address: '127.0.0.1:1' });
const client = new Client({ connection });
const engine = createTemporalEngine({ client, config, eagerStart: false });
const slowEngine = createTemporalEngine({ client, config: slowConfig, eagerStart: false });

let own: MigratedDatabase;
let database: Database;
let feed: ChangeFeed;
let owner: string;

beforeAll(async () => {
  own = await startMigratedDatabase(4);
  ({ database } = own);
  owner = await insertOwnWorkspace(database);
  feed = new ChangeFeed({ database, pollMs: FOR_EVER, log });
});
afterAll(async () => {
  await feed?.stop();
  await own?.dispose();
});

const versionId = v7();
const aMinuteAgo = () => new Date(Date.now() - 60_000);

/** The reconciler's dependencies; `longest` limits its line. */
function makeParts(longest?: number) {
  const definitions = new DefinitionCache(database, new WorkspaceApps(database, new Map()));
  definitions.add(owner, versionId, {
    trigger: { id: 'trigger', type: 'manual' },
    nodes: [],
    edges: [],
  } as unknown as Definition);
  const evaluation = new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: 1_000_000 });
  const waits = { most: 2, patienceMs: FOR_EVER, ...(longest ? { longest } : {}) };
  const line = new StartLine({ database, engine: slowEngine, feed, ...waits, log });
  const starter = new Starter({ database, line, definitions, evaluation, batchBytes: 1_000_000, takeOverBatch: 1_000 });
  const schedules = new Schedules({ database, engine: createTemporalSchedules(client, config), log });
  const answers = new Submissions({ database, engine, definitions, feed, log });
  const failures = new FailureHandler({
    database,
    starter,
    executionIds: derivedId,
    feed: new DueFeed(),
    buckets: EVERY_BUCKET,
    log,
  });
  const releaser = new Releaser({ database, engine, starter, feed, log });
  return { database, engine, feed, line, starter, schedules, answers, failures, releaser, log };
}

async function unstarted(count: number): Promise<string> {
  const workspaceId = owner;
  await database.execution.createMany({
    data: Array.from({ length: count }, (_, number) => ({
      ...{ id: v7(), workspaceId, versionId, number, name: 'w', source: 'WORKFLOW', trigger: {}, variables: {} },
      reconciledAt: aMinuteAgo(),
    })),
  });
  return workspaceId;
}

async function reached(workspaceId: string, longest?: number): Promise<number> {
  const { line, ...parts } = makeParts(longest);
  await startUnstarted(parts, FOR_EVER).run(new AbortController().signal, () => undefined, ALL_BUCKETS);
  await parts.failures.stop();
  const since = { gt: new Date(Date.now() - 30_000) };
  const counted = await database.execution.count({ where: { workspaceId, reconciledAt: since } });
  await line.close();
  await database.execution.deleteMany({ where: { workspaceId } });
  return counted;
}

test('a long backlog of starts is put in line within one pass', async () => {
  expect(await reached(await unstarted(350))).toBe(350);
});

test('it is claimed only as far as the line takes any', async () => {
  // One workspace gets 150 of 300 places: part of the second batch finds one, none of the third does.
  expect(await reached(await unstarted(450), 300)).toBe(300);
});

test.each([1, 5])('answers (%i) whose signal failed are due again at once', async (count) => {
  const { workspaceId, executionId } = await insertOwnExecution(database);
  const question = { workspaceId, executionId, label: 'ask', fields: [], submissions: [{}], status: 'SUBMITTED' };
  const at = { submittedAt: aMinuteAgo(), signalledAt: aMinuteAgo() };
  const ids = Array.from({ length: count }, () => v7());
  await database.pendingInput.createMany({ data: ids.map((id) => ({ id, nodeId: id, ...question, ...at })) });
  const untold = () => claimUnsentAnswers(database, 3_000, ALL_BUCKETS, 100);
  await makeParts()
    .answers.sendUnsent(3_000, ALL_BUCKETS, 100)
    .catch((error: unknown) => expect(error).toBeInstanceOf(EngineAway));
  expect(await untold()).toHaveLength(count);
  // The claim was for their notification; the next one comes as late as the first.
  expect(await untold()).toEqual([]);
  await database.execution.delete({ where: { id: executionId } });
});

test('a schedule without an answer of the engine does not come first again', async () => {
  const [workspaceId, workflowId] = [v7(), v7()];
  await database.workflowSchedule.create({ data: { workspaceId, workflowId, claimedUntil: aMinuteAgo() } });
  const due = () => claimSchedules(database, { checkAgeMs: FOR_EVER, buckets: ALL_BUCKETS, limit: 100 });
  await makeParts().schedules.reconcile(ALL_BUCKETS, 100);
  expect(await due()).toEqual([]);
  // Earlier than the claim of a dead process would expire.
  const { claimedUntil } = await database.workflowSchedule.findUniqueOrThrow({ where: { workflowId } });
  expect(claimedUntil.getTime() - Date.now()).toBeLessThanOrEqual(10_000);
  await database.workflowSchedule.delete({ where: { workflowId } });
});
