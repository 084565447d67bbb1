import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
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
import type { CaseDatabase } from './caseDatabase.ts';

const GRACE_MS = 2_000;

/** Perdure on a server that skips time. Stopping it leaves nothing behind. */
export interface CasePlatform {
  parts: Parts;
  url: string;
  /** A workspace of its own for each run, so that nothing of an earlier run is left. */
  makeWorkspace(): Promise<WorkspaceCredentials>;
  /** Epoch milliseconds of the server's own time. */
  serverTime(): Promise<number>;
  /** Stops the server from skipping time while `work` runs, because the server cannot see that work. */
  holdTime<T>(work: () => Promise<T>): Promise<T>;
  startTimer(timer: CaseTimer): Promise<void>;
  /** Lets the server skip time while `work` runs, and ends its timers, to which the server would skip later. */
  skipTime<T>(work: () => Promise<T>): Promise<T>;
  /** Stops the database, too. */
  stop(): Promise<void>;
}

export interface CasePlatformOptions {
  testServer: string;
  database: CaseDatabase;
  activities(services: ActivityServices): object;
}

export async function startCasePlatform(options: CasePlatformOptions): Promise<CasePlatform> {
  const { testServer, database, activities } = options;
  const undo: (() => Promise<unknown>)[] = [() => database.stop()];
  const stop = async () => {
    for (const one of undo.splice(0).reverse()) await one();
  };
  try {
    const log = createLog('warn', {
      destination: destination({ dest: join(database.folder, 'perdure.log'), sync: true }),
    });
    installTemporalRuntime(log);
    const temporal = await skippingServer(testServer);
    undo.push(() => temporal.teardown());
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
    const parts = { ...made, schedules: new Schedules({ database: rows, engine: NO_CLOCK, log }), isOfOneFolder: true };
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
    const { testService } = testing;
    if (testService === undefined) throw new Error('The time-skipping server has no test service');
    const timers = new Set<string>();
    return {
      ...{ parts, url: `http://127.0.0.1:${api.port}`, stop },
      makeWorkspace: () => createWorkspace(rows, { name: 'Tests', email: `${randomUUID()}@perdure.local` }, QUICK_HASH),
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
        timers.add(workflowId);
        const { TEMPORAL_TASK_QUEUE: taskQueue } = config;
        await client.workflow.start<(timer: CaseTimer) => Promise<void>>(CASE_TIMER, {
          workflowId,
          taskQueue,
          args: [timer],
        });
      },
      async skipTime(work) {
        await testService.unlockTimeSkipping({});
        try {
          return await work();
        } finally {
          await testService.lockTimeSkipping({});
          // One that has fired cannot be terminated.
          await Promise.allSettled([...timers].map((id) => client.workflow.getHandle(id).terminate()));
          timers.clear();
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
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
