import { readFile } from 'node:fs/promises';
import { Worker } from '@temporalio/worker';
import { createActivities } from '../activities/createActivities.ts';
import { allDuties } from '../engine/duties/duties.ts';
import { Reconciler } from '../engine/duties/reconciler.ts';
import { FailureHandler } from '../engine/executions/failureHandler.ts';
import { createMailer } from '../engine/mail/mailer.ts';
import { DueItems } from '../engine/queues/dueItems.ts';
import { QueueRunner } from '../engine/queues/queueRunner.ts';
import type { TemporalParts } from '../engine/temporal/connectTemporal.ts';
import { compareRetention } from '../engine/temporal/namespaceRetention.ts';
import { ensureSearchAttributes } from '../engine/temporal/searchAttributes.ts';
import type { Parts } from '../process/parts.ts';
import { overflowQueue } from '../temporal-workflows/names.ts';
import { activityServices, WAITING } from './activityServices.ts';
import { BUNDLE_PATH } from './bundlePath.ts';
import { tuning } from './tuning.ts';

export interface RunningWorker {
  /** Takes no new tasks and waits for running ones, at most DRAIN_TIMEOUT_MS. */
  stop(): Promise<void>;
  /** Rejects when the worker dies by itself. */
  died: Promise<void>;
}

/** Slots beside the actions, polls and waits: for actions on their way to the overflow queue, node tests, model calls. */
const OTHER_ACTIVITIES = 50;

/** Hosts workflows and activities, and reconciles, until it is stopped. */
export async function startWorker(parts: Parts, temporal: TemporalParts): Promise<RunningWorker> {
  const { config, database, engine, feed, schedules, starter, releaser, answers, log } = parts;
  await ensureSearchAttributes(temporal.client, temporal.namespace);
  await compareRetention(temporal.client, temporal.namespace, config.EXECUTION_RETENTION_DAYS, log);
  const activities = createActivities(activityServices(parts));
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
