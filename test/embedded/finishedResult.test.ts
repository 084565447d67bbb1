import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ActivityCancellationDetails, CancelledFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { buildCatalogue } from '../../activities/apps/catalogue.ts';
import { type ActionResult, failed, succeeded } from '../../activities/apps/executor.ts';
import { runAction } from '../../activities/execution/runAction.ts';
import type { ActivityServices } from '../../activities/services.ts';
import { WorkspaceApps } from '../../engine/apps/workspaceApps.ts';
import { Evaluation } from '../../engine/evaluation/evaluation.ts';
import { DefinitionCache } from '../../engine/executions/definitionCache.ts';
import { ProgressWriter } from '../../engine/executions/progressWriter.ts';
import { FairPlaces } from '../../engine/fairness/fairPlaces.ts';
import { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import { createDatabase } from '../../prisma/client.ts';
import { createLog } from '../../process/log.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';
import { insertOwnExecution } from '../setup/database/ownRows.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { untraced } from '../setup/stack/untraced.ts';
import { action, control } from '../setup/workspace/graph.ts';

const log = createLog('silent');
let own: MigratedDatabase;
let feed: ChangeFeed;
/** Nothing listens at this address. */
const nowhere = createDatabase('postgresql://perdure@127.0.0.1:1/perdure', 1);
beforeAll(async () => {
  own = await startMigratedDatabase(4);
  feed = new ChangeFeed({ database: own.database, pollMs: 3_600_000, log });
});
afterAll(async () => {
  await feed?.stop();
  await nowhere.close();
  await own?.dispose();
});

type Stop = Parameters<MockActivityEnvironment['cancel']>;
const STOPPED: Stop = ['WORKER_SHUTDOWN', new ActivityCancellationDetails({ workerShutdown: true })];
const CANCELLED: Stop = ['CANCELLED', new ActivityCancellationDetails({ cancelRequested: true })];

/**
 * Runs an action that ends as `how` says while the write that shows it as running is delayed. Before that write
 * completes, its worker is stopped or its execution cancelled. With `isAway`, the database then refuses connections for
 * a moment. Returns the activity's result or error, and the step's status.
 */
async function stoppedBehind(how: Stop, work: (signal: AbortSignal) => Promise<ActionResult>, isAway = false) {
  const { database } = own;
  const { workspaceId, executionId } = await insertOwnExecution(database);
  const catalogue = buildCatalogue({ testing: true });
  const definitions = new DefinitionCache(database, new WorkspaceApps(database, catalogue));
  await definitions.add(workspaceId, executionId, {
    trigger: { id: 'trigger', type: 'manual', config: {} },
    nodes: [control('each', 'forEach', { items: [1] }), { ...action('call', 'testing.succeed', {}), parentId: 'each' }],
    edges: [],
  });
  const row = { status: 'RUNNING' as const, name: 'w', number: 1, startedAt: new Date(0).toISOString() };
  // An action with a known context is shown as running by a separate write.
  const context = {
    ...row,
    workflowId: null,
    lineageId: null,
    trace: null,
    trigger: {},
    variables: {},
    steps: {},
  };
  const limits = { writes: 1, bytes: 1_000_000, gatherMs: 0 };
  const real = new ProgressWriter(database, feed, limits);
  const away = isAway ? [new ProgressWriter(nowhere, feed, limits), new ProgressWriter(nowhere, feed, limits)] : [];
  const { after, goOn } = gate();
  let isLate = false;
  const writer: Pick<ProgressWriter, 'record'> = {
    async record(...write) {
      if (write[2].steps[0]?.status === 'RUNNING') {
        isLate = true;
        await after;
        return real.record(...write);
      }
      return (away.pop() ?? real).record(...write);
    },
  };
  const services = {
    ...{ database, feed, log, definitions, writer, catalogue },
    loopContexts: { of: async () => ({ context, atOnce: 1 }) },
    places: new FairPlaces(10, { waiting: 1, patienceMs: 1 }),
    executorOf:
      () =>
      async ({ signal }: { signal: AbortSignal }) =>
        work(signal),
    evaluation: new Evaluation({ timeoutMs: 1_000, threads: 1, maxResultBytes: 1_000_000 }),
    stepKeys: () => 'key',
    tracing: untraced(),
    config: {
      DRAIN_TIMEOUT_MS: 20_000,
      ACTION_TIMEOUT_MS: 60_000,
      MAX_OUTPUT_BYTES: 1_000_000,
      WORKER_LOST_TRIES: 3,
      INTERNAL_FAILURE_TRIES: 3,
    },
  } as unknown as ActivityServices;

  const environment = new MockActivityEnvironment();
  const task = { workspaceId, executionId, iteration: 'each:0', nodeId: 'call', attempt: 1, completed: {}, failed: {} };
  const result = environment.run(() => runAction(services, task)).catch((error: Error) => error);
  await poll(() => isLate, { timeout: 10_000 }).toBe(true);
  // By then the action has its result or has detected the stop.
  await new Promise((go) => setTimeout(go, 200));
  environment.cancel(...how);
  goOn();
  const answer = await result;
  const step = await database.executionStep.findFirstOrThrow({ where: { executionId } });
  return { answer, status: step.status };
}

const inTime = async () => {
  await new Promise((go) => setTimeout(go, 100));
  return succeeded({ done: true });
};

const interrupted = (signal: AbortSignal) =>
  new Promise<ActionResult>((done) => {
    signal.addEventListener('abort', () => done(failed('ABORTED', 'stopped', { retryable: true })));
  });

test.each([
  ['the worker stops', STOPPED],
  ['the execution is cancelled', CANCELLED],
])('a result that is there when %s is written, however late the write before it is', async (_, how) => {
  const { answer, status } = await stoppedBehind(how, inTime);
  expect(answer).toMatchObject({ outcome: { nodeId: 'call', status: 'COMPLETED' } });
  expect(status).toBe('COMPLETED');
});

test.each([
  ['the worker stops', STOPPED],
  ['the execution is cancelled', CANCELLED],
])('when %s while the database is away, the result is held until it is back', async (_, how) => {
  const { answer, status } = await stoppedBehind(how, inTime, true);
  expect(answer).toMatchObject({ outcome: { nodeId: 'call', status: 'COMPLETED' } });
  expect(status).toBe('COMPLETED');
});

test('an action that the stop interrupts has no result: another worker runs it again', async () => {
  const { answer, status } = await stoppedBehind(STOPPED, interrupted);
  expect(answer).toMatchObject({ type: 'WORKER_STOPPED' });
  expect(status).toBe('RUNNING');
});

test('an action that a cancellation interrupts has no result: the workflow closes its step', async () => {
  const { answer, status } = await stoppedBehind(CANCELLED, interrupted);
  expect(answer).toBeInstanceOf(CancelledFailure);
  expect(status).toBe('RUNNING');
});
