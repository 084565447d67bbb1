import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { destination } from 'pino';
import type { ActivityServices } from '../activities/services.ts';
import { createWorkspace, type WorkspaceCredentials } from '../api/access/createWorkspace.ts';
import { startApi } from '../api/startApi.ts';
import { readConfig } from '../config.ts';
import { CASE_TIMER, type CaseTimer } from '../domain/case/caseTimer.ts';
import { cacheFolder } from '../embedded/cacheFolder.ts';
import { layDatabase } from '../embedded/databaseTemplate.ts';
import { type EmbeddedDatabase, startPglite } from '../embedded/pglite.ts';
import type { Say } from '../embedded/say.ts';
import { EVERY_BUCKET } from '../engine/duties/heldBuckets.ts';
import { FailureHandler } from '../engine/executions/failureHandler.ts';
import { Schedules } from '../engine/schedules/schedules.ts';
import { BUNDLE_PATH } from '../engine/temporal/bundlePath.ts';
import { addSearchAttributes } from '../engine/temporal/searchAttributes.ts';
import { installTemporalRuntime } from '../engine/temporal/temporalRuntime.ts';
import { createLog } from '../process/log.ts';
import { createParts, type Parts } from '../process/parts.ts';
import { activityServices } from '../worker/activityServices.ts';
import { tuning } from '../worker/tuning.ts';

const GRACE_MS = 2_000;

/** Perdure on a server that skips time. Stopping it leaves nothing behind. */
export interface CasePlatform {
  parts: Parts;
  owner: WorkspaceCredentials;
  url: string;
  /** Epoch milliseconds of the server's own time. */
  serverTime(): Promise<number>;
  /** Stops the server from skipping time while `work` runs, because the server cannot see that work. */
  holdTime<T>(work: () => Promise<T>): Promise<T>;
  startTimer(timer: CaseTimer): Promise<void>;
  stop(): Promise<void>;
}

export interface CasePlatformOptions {
  testServer: string;
  activities(services: ActivityServices): object;
  say: Say;
}

/** Starts the platform in its own folder. It takes as long as a start of Perdure without the Temporal server. */
export async function startCasePlatform({ testServer, activities, say }: CasePlatformOptions): Promise<CasePlatform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'perdure-test-'));
  const undo: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one();
  };
  try {
    const log = createLog('warn', { destination: destination({ dest: join(dataDir, 'perdure.log'), sync: true }) });
    installTemporalRuntime(log);
    const [database, temporal] = await Promise.all([
      startDatabase(dataDir, say).then((started) => {
        undo.push(() => started.child.stop(GRACE_MS));
        return started;
      }),
      skippingServer(testServer).then((environment) => {
        undo.push(() => environment.teardown());
        return environment;
      }),
    ]);
    const config = {
      ...readConfig({}),
      DATABASE_URL: database.url,
      TOKEN_SECRET: randomBytes(48).toString('base64url'),
      ENCRYPTION_KEY: `cases:${randomBytes(32).toString('base64')}`,
      PORT: 0,
      // Generous, because no case tests the speed of the machine.
      TEMPORAL_CALL_TIMEOUT_MS: 30_000,
    };
    const { nativeConnection: connection, connection: testing } = temporal;
    const client = new Client({ connection, namespace: 'default' });
    const connected = { connection, client, namespace: 'default' };
    await addSearchAttributes(client, 'default');
    const made = await createParts({ config, temporal: connected, eagerStart: false, log });
    undo.push(() => made.close());
    const { database: rows, starter, executionIds, failureFeed } = made;
    const parts = { ...made, schedules: new Schedules({ database: rows, engine: NO_CLOCK, log }) };
    const buckets = EVERY_BUCKET;
    const failures = new FailureHandler({ database: rows, starter, executionIds, feed: failureFeed, buckets, log });
    undo.push(() => failures.stop());
    const worker = await Worker.create({
      connection,
      namespace: 'default',
      taskQueue: config.TEMPORAL_TASK_QUEUE,
      workflowBundle: { code: await readFile(BUNDLE_PATH, 'utf8') },
      activities: activities(activityServices(parts)),
      shutdownGraceTime: GRACE_MS,
      shutdownForceTime: GRACE_MS,
      ...tuning,
    });
    const running = worker.run();
    undo.push(async () => {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    });
    const api = await startApi(parts);
    undo.push(() => api.stop());
    const owner = await createWorkspace(rows, { name: 'Tests', email: 'tests@perdure.local' }, QUICK_HASH);
    const { testService } = testing;
    if (testService === undefined) throw new Error('The time-skipping server has no test service');
    await testService.unlockTimeSkipping({});
    return {
      ...{ parts, owner, url: `http://127.0.0.1:${api.port}`, stop },
      serverTime: () => temporal.currentTimeMs(),
      async holdTime(work) {
        await testService.lockTimeSkipping({});
        try {
          return await work();
        } finally {
          await testService.unlockTimeSkipping({});
        }
      },
      async startTimer(timer) {
        const workflowId = `case-timer-${timer.event}`;
        const { TEMPORAL_TASK_QUEUE: taskQueue } = config;
        await client.workflow.start<(timer: CaseTimer) => Promise<void>>(CASE_TIMER, {
          workflowId,
          taskQueue,
          args: [timer],
        });
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDatabase(dataDir: string, say: Say): Promise<EmbeddedDatabase> {
  await layDatabase(dataDir, { folder: join(cacheFolder(process.env), 'databases'), kind: 'migrated', say });
  return startPglite({ dataDir, say });
}

function skippingServer(path: string): Promise<TestWorkflowEnvironment> {
  return TestWorkflowEnvironment.createTimeSkipping({ server: { executable: { type: 'existing-path', path } } });
}

/** Cheap, because nobody logs in. */
const QUICK_HASH = { N: 1_024, r: 8, p: 1 };

/** Replaces the clock of schedules and polls, since starting a case is the trigger. */
const NO_CLOCK = {
  put: async () => undefined,
  remove: async () => undefined,
  has: async () => true,
  nextTime: async () => undefined,
};
