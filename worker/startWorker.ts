import { readFile } from 'node:fs/promises';
import { Worker } from '@temporalio/worker';
import { buildExecutors } from '../activities/apps/executors.ts';
import { buildRequest } from '../activities/apps/http/request.ts';
import { buildPollers } from '../activities/apps/pollers.ts';
import { createActivities } from '../activities/createActivities.ts';
import { LoopContexts } from '../activities/execution/loopContexts.ts';
import { OpenedLoops } from '../activities/execution/openedLoops.ts';
import { allDuties } from '../engine/duties/duties.ts';
import { Reconciler } from '../engine/duties/reconciler.ts';
import { FailureHandler } from '../engine/executions/failureHandler.ts';
import { ProgressWriter } from '../engine/executions/progressWriter.ts';
import { WorkspacePlaces } from '../engine/fairness/workspacePlaces.ts';
import { createMailer } from '../engine/mail/mailer.ts';
import { DueItems } from '../engine/queues/dueItems.ts';
import { QueueRunner } from '../engine/queues/queueRunner.ts';
import type { TemporalParts } from '../engine/temporal/connectTemporal.ts';
import { compareRetention } from '../engine/temporal/namespaceRetention.ts';
import { ensureSearchAttributes } from '../engine/temporal/searchAttributes.ts';
import type { Parts } from '../process/parts.ts';
import { overflowQueue } from '../temporal-workflows/names.ts';
import { BUNDLE_PATH } from './bundlePath.ts';
import { tuning } from './tuning.ts';

export interface RunningWorker {
  /** Takes no new tasks and waits for running ones, at most DRAIN_TIMEOUT_MS. */
  stop(): Promise<void>;
  /** Rejects when the worker dies by itself. */
  died: Promise<void>;
}

/** Actions, and polls, that wait for a place. After a longer wait an action goes to the overflow queue, a poll to a later try. */
const WAITING = 100;
const PATIENCE_MS = 1_000;
/** Slots beside the actions, polls and waits: for actions on their way to the overflow queue, node tests, model calls. */
const OTHER_ACTIVITIES = 50;

/** Hosts workflows and activities, and reconciles, until it is stopped. */
export async function startWorker(parts: Parts, temporal: TemporalParts): Promise<RunningWorker> {
  const { config, database, engine, feed, schedules, starter, releaser, answers, log } = parts;
  const executorOf = buildExecutors({
    database,
    openAiClient: parts.openAiClient,
    allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
    maxResponseBytes: config.MAX_OUTPUT_BYTES,
    maxOutputBytes: config.MAX_OUTPUT_BYTES,
    maxRows: config.POSTGRES_MAX_ROWS,
    maxClients: config.POSTGRES_CLIENTS,
    maxCodeThreads: config.CODE_THREADS,
    maxCodeTimeoutMs: config.CODE_MAX_TIMEOUT_MS,
    maxCodeMemoryMb: config.CODE_MAX_MEMORY_MB,
    maxCodeConsoleBytes: config.CODE_MAX_CONSOLE_BYTES,
    maxObjectBytes: config.OBJECT_MAX_BYTES,
    evaluation: parts.evaluation,
  });
  const rss = buildRequest({
    app: 'rss',
    allowedPrivateHosts: config.HTTP_ALLOWED_PRIVATE_HOSTS,
    maxResponseBytes: config.MAX_OUTPUT_BYTES,
  });
  const pollerOf = buildPollers(
    { http: executorOf('http', 'request'), rss },
    {
      filesRoot: config.FILES_ROOT,
      maxItems: config.POLL_MAX_ITEMS,
      database,
    },
  );
  const writer = new ProgressWriter(database, feed, {
    writes: config.GROUP_WRITE_MAX,
    bytes: config.GROUP_WRITE_MAX_BYTES,
    gatherMs: config.GROUP_WRITE_GATHER_MS,
  });
  const loopContexts = new LoopContexts(database, config.LOOP_CONTEXT_CACHE_BYTES);
  const openedLoops = new OpenedLoops(database, config.LOOP_CONTEXT_CACHE_BYTES);
  await ensureSearchAttributes(temporal.client, temporal.namespace);
  await compareRetention(temporal.client, temporal.namespace, config.EXECUTION_RETENTION_DAYS, log);
  const shared = { waiting: WAITING, patienceMs: PATIENCE_MS };
  const places = new WorkspacePlaces({ places: config.ACTIONS_AT_ONCE, ...shared });
  const pollPlaces = new WorkspacePlaces({ places: config.POLLS_AT_ONCE, ...shared });
  // Who finds no place looks again later, and waits in no line.
  const waitPlaces = new WorkspacePlaces({ places: config.WAITS_AT_ONCE, waiting: 0, patienceMs: 0 });
  const activities = createActivities({
    ...{ ...parts, writer, loopContexts, openedLoops, places, pollPlaces, waitPlaces, executorOf, pollerOf },
  });
  const common = {
    connection: temporal.connection,
    namespace: temporal.namespace,
    shutdownGraceTime: config.DRAIN_TIMEOUT_MS / 2,
    shutdownForceTime: config.DRAIN_TIMEOUT_MS,
    ...tuning,
  };
  const workers = [
    await Worker.create({
      ...common,
      taskQueue: config.TEMPORAL_TASK_QUEUE,
      workflowBundle: { code: await readFile(BUNDLE_PATH, 'utf8') },
      activities,
      maxConcurrentActivityTaskExecutions:
        config.ACTIONS_AT_ONCE + config.POLLS_AT_ONCE + config.WAITS_AT_ONCE + 2 * WAITING + OTHER_ACTIVITIES,
    }),
    await Worker.create({
      ...common,
      taskQueue: overflowQueue(config.TEMPORAL_TASK_QUEUE),
      activities: { runAction: activities.runAction },
      maxConcurrentActivityTaskExecutions: config.ACTIONS_AT_ONCE,
    }),
  ];
  const failures = new FailureHandler({ database, starter, executionIds: parts.executionIds, feed, log });
  const queues = new QueueRunner({ database, starter, feed: parts.queueFeed, log });
  const dueItems = new DueItems({ database, feed: parts.queueFeed, log });
  const { turns, reconnects } = parts;
  const dutyParts = {
    ...{
      database,
      engine,
      starter,
      feed,
      schedules,
      answers,
      reconnects,
      failures,
      releaser,
      queues,
      dueItems,
      turns,
      log,
    },
  };
  const mailer = await createMailer(config);
  const retention = {
    executionDays: config.EXECUTION_RETENTION_DAYS,
    objectChangeDays: config.OBJECT_CHANGES_RETENTION_DAYS,
    auditDays: config.AUDIT_RETENTION_DAYS,
  };
  const mails = mailer && { mailer, sealer: parts.sealer };
  const duties = allDuties(dutyParts, config.RECONCILE_INTERVAL_MS, retention, mails);
  const reconciler = new Reconciler(duties, log);
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    died: running.then(() => undefined),
    async stop() {
      await reconciler.stop();
      mailer?.close();
      await failures.stop();
      await dueItems.stop();
      await queues.stop();
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}
