import { readFile } from 'node:fs/promises';
import { Worker } from '@temporalio/worker';
import { createActivities } from '../activities/createActivities.ts';
import { buildProviderFetch } from '../activities/providers/providerFetch.ts';
import type { Config } from '../config.ts';
import { DELIVER_EVENTS, HANDLE_FAILURES } from '../engine/duties/delegated.ts';
import { allDuties } from '../engine/duties/duties.ts';
import type { Duty } from '../engine/duties/duty.ts';
import { DutyLeases } from '../engine/duties/dutyLeases.ts';
import { Reconciler } from '../engine/duties/reconciler.ts';
import { DRAIN_QUEUES } from '../engine/duties/tendQueues.ts';
import { EventDeliverer } from '../engine/events/eventDeliverer.ts';
import { EventSender } from '../engine/events/eventSender.ts';
import { FailureHandler } from '../engine/executions/failureHandler.ts';
import { createMailer } from '../engine/mail/mailer.ts';
import { COMPUTE_GAUGES, computeGauges } from '../engine/metrics/computeGauges.ts';
import { DueItems } from '../engine/queues/dueItems.ts';
import { QueueRunner } from '../engine/queues/queueRunner.ts';
import { BUNDLE_PATH } from '../engine/temporal/bundlePath.ts';
import type { TemporalParts } from '../engine/temporal/connectTemporal.ts';
import { compareRetention } from '../engine/temporal/namespaceRetention.ts';
import { ensureSearchAttributes } from '../engine/temporal/searchAttributes.ts';
import { exportTraces } from '../engine/tracing/exportTraces.ts';
import { dueDuties } from '../prisma/store/operation/dueDuties.ts';
import type { Parts } from '../process/parts.ts';
import { overflowQueue } from '../temporal-workflows/names.ts';
import { activityServices, WAITING } from './activityServices.ts';
import { tuning } from './tuning.ts';

export interface RunningWorker {
  /** Stops taking tasks and waits for running ones, for at most DRAIN_TIMEOUT_MS. */
  stop(): Promise<void>;
  /** Rejects when the worker dies unexpectedly. */
  died: Promise<void>;
}

/** Slots for actions moving to the overflow queue, node tests and model calls. */
const OTHER_ACTIVITIES = 50;

/** Added to the timeout of a delivery for the lease of its subscription. */
const LEASE_MARGIN_MS = 10_000;

function tracesDuties({ database, tracing, spans: sender, config }: Parts): Duty[] {
  if (!sender) return [];
  const longestStatementMs = config.DATABASE_STATEMENT_TIMEOUT_MS;
  return [exportTraces({ database, tracing, sender, longestStatementMs }, config.OTEL_BSP_SCHEDULE_DELAY)];
}

/** An execution moves to the current build with its next task, so long waits do not pin a build. */
function deploymentOptions({ TEMPORAL_DEPLOYMENT_NAME: deploymentName, TEMPORAL_WORKER_BUILD_ID: buildId }: Config) {
  if (deploymentName === undefined || buildId === undefined) return {};
  const version = { deploymentName, buildId };
  return {
    workerDeploymentOptions: { useWorkerVersioning: true, version, defaultVersioningBehavior: 'AUTO_UPGRADE' },
  } as const;
}

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
    ...deploymentOptions(config),
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
  const leases = new DutyLeases({ database, leaseMs: config.DUTY_LEASE_MS, isAlone: parts.isAlone, log });
  const failures = new FailureHandler({
    ...{ database, starter, executionIds: parts.executionIds, feed: parts.failureFeed, log, tracing: parts.tracing },
    buckets: leases.heldBuckets(HANDLE_FAILURES),
  });
  const buckets = leases.heldBuckets(DRAIN_QUEUES);
  const queues = new QueueRunner({ database, starter, feed: parts.queueFeed, log, buckets });
  const dueItems = new DueItems({ database, feed: parts.queueFeed, log, buckets });
  const allowedPrivateHosts = config.HTTP_ALLOWED_PRIVATE_HOSTS;
  const events = new EventDeliverer({
    ...{ database, feed: parts.eventFeed, log, buckets: leases.heldBuckets(DELIVER_EVENTS) },
    sender: new EventSender({
      ...{ sealer: parts.sealer, allowedPrivateHosts, timeoutMs: config.EVENT_DELIVERY_TIMEOUT_MS },
      fetchOf: buildProviderFetch({ allowedPrivateHosts }),
    }),
    atOnce: config.EVENT_DELIVERIES_AT_ONCE,
    subscriptionsAtOnce: config.EVENT_SUBSCRIPTIONS_AT_ONCE,
    leaseMs: config.EVENT_DELIVERY_TIMEOUT_MS + LEASE_MARGIN_MS,
    drainMs: config.DRAIN_TIMEOUT_MS / 2,
  });
  const { turns, stepWakes } = parts;
  const dutyParts = {
    ...{
      database,
      engine,
      starter,
      feed,
      schedules,
      answers,
      stepWakes,
      failures,
      releaser,
      queues,
      dueItems,
      turns,
      events,
      log,
    },
  };
  const mailer = await createMailer(config);
  const retention = {
    executionDays: config.EXECUTION_RETENTION_DAYS,
    queueItemDays: config.QUEUE_ITEM_RETENTION_DAYS,
    taskDays: config.TASK_RETENTION_DAYS,
    stateChangeDays: config.STATE_CHANGE_RETENTION_DAYS,
    objectChangeDays: config.OBJECT_CHANGES_RETENTION_DAYS,
    auditDays: config.AUDIT_RETENTION_DAYS,
    eventDays: config.EVENT_DELIVERIES_RETENTION_DAYS,
  };
  const intervals = {
    intervalMs: config.RECONCILE_INTERVAL_MS,
    sweepMs: config.SWEEP_INTERVAL_MS,
    workersMs: config.WORKER_LOOK_INTERVAL_MS,
  };
  const mails = mailer && { mailer, sealer: parts.sealer };
  const { metrics } = parts;
  const gauges = computeGauges({ database, metrics }, config.GAUGES_INTERVAL_MS, () => leases.holds(COMPUTE_GAUGES));
  const duties = [
    ...allDuties(dutyParts, intervals, retention, mails),
    ...(config.METRICS_PORT === 0 ? [] : [gauges]),
    ...tracesDuties(parts),
  ];
  leases.begin(duties.map(({ name, due }) => ({ name, shards: due ? config.DUTY_SHARDS : 1 })));
  metrics.readAtScrape('perdure_reconciler_duties_held', () => leases.count);
  const reconciler = new Reconciler(duties, { findDue: (asked) => dueDuties(database, asked), log, leases, metrics });
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    died: running.then(() => undefined),
    async stop() {
      await reconciler.stop();
      mailer?.close();
      await events.stop();
      await failures.stop();
      await dueItems.stop();
      await queues.stop();
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await running;
    },
  };
}
