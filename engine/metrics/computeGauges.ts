import { EXECUTION_STATUSES, isTerminal } from '../../domain/execution/status.ts';
import type { Database } from '../../prisma/client.ts';
import { type GaugeReadings, readGauges } from '../../prisma/store/operation/readGauges.ts';
import type { Duty } from '../duties/duty.ts';
import type { DatabaseGauges, Metrics } from './metrics.ts';

export const COMPUTE_GAUGES = 'compute gauges';

/** A computation takes at most a tenth of the time, however many rows are open. */
const PAUSE_FACTOR = 10;
const ITEM_STATUSES = ['PENDING', 'PROCESSING', 'RETRYING', 'COMPLETED', 'FAILED', 'CANCELLED'];

/** Computes the gauges that need the database. `isHeld`: shows them while this process has the duty. */
export function computeGauges(
  { database, metrics }: { database: Database; metrics: Metrics },
  intervalMs: number,
  isHeld: () => boolean,
): Duty {
  let tookMs = 0;
  return {
    name: COMPUTE_GAUGES,
    get intervalMs() {
      return Math.max(intervalMs, tookMs * PAUSE_FACTOR);
    },
    async run() {
      const startedAt = performance.now();
      metrics.setDatabaseGauges(gaugesOf(await readGauges(database)), isHeld);
      tookMs = performance.now() - startedAt;
    },
  };
}

function gaugesOf(read: GaugeReadings): DatabaseGauges {
  const open = EXECUTION_STATUSES.filter((status) => !isTerminal(status));
  const byStatus = (statuses: readonly string[], counts: Readonly<Record<string, number>>) =>
    statuses.map((status) => ({ labels: { status }, value: counts[status] ?? 0 }));
  return {
    perdure_executions_open: byStatus(open, read.executionsOpen),
    perdure_executions_oldest_pending_seconds: [{ value: read.oldestPending }],
    perdure_questions_open: [{ value: read.questionsOpen }],
    perdure_question_age_seconds: [{ value: read.questionAge }],
    perdure_questions_expiring: [{ value: read.questionsExpiring }],
    perdure_queue_items: byStatus(ITEM_STATUSES, read.queueItems),
    perdure_queue_oldest_ready_seconds: [{ value: read.oldestReady }],
    perdure_queue_workflows_oldest_ready_seconds: [{ value: read.oldestReadyForWorkflows }],
    perdure_api_keys_expiring: [{ value: read.apiKeysExpiring }],
    perdure_connections_broken: [{ value: read.connectionsBroken }],
    perdure_worker_queue_waiting: Object.entries(read.workerQueuesWaiting).map(([queue, value]) => ({
      labels: { queue },
      value,
    })),
  };
}
