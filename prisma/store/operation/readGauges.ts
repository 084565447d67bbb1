import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';
import { ENDED } from '../execution/endedStatus.ts';

/** The gauges over all workspaces. Ages are in seconds, 0 if there is nothing. */
export interface GaugeReadings {
  executionsOpen: Partial<Record<ExecutionStatus, number>>;
  oldestPending: number;
  questionsOpen: number;
  questionAge: number;
  /** Excludes questions that were open for less than an hour in total: these would always count. */
  questionsExpiring: number;
  queueItems: Record<string, number>;
  oldestReady: number;
  oldestReadyForWorkflows: number;
  /** Excludes keys whose lifetime is at most two weeks. */
  apiKeysExpiring: number;
  connectionsBroken: number;
  /** Steps by the task queue that no worker polls. */
  workerQueuesWaiting: Record<string, number>;
}

/** Reads the gauges over partial indexes and sums: the cost depends on what is open, not on history. */
export async function readGauges(database: Database): Promise<GaugeReadings> {
  const [row] = await database.$queryRaw<[GaugeReadings]>`
    SELECT
      (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (
        SELECT status, count(*) AS n FROM executions
        WHERE status NOT IN ${ENDED} GROUP BY status) s) AS "executionsOpen",
      (SELECT coalesce(extract(epoch FROM now() - min(coalesce(released_at, started_at))), 0)::float8 FROM executions
        WHERE (status = 'PENDING') IS TRUE AND NOT held) AS "oldestPending",
      q.open AS "questionsOpen", q.age AS "questionAge", q.expiring AS "questionsExpiring",
      (SELECT coalesce(jsonb_object_agg(status, n), '{}') FROM (
        SELECT c.status, sum(c.items) AS n FROM queue_item_counts c JOIN queues q ON q.id = c.queue_id
        WHERE q.deleted_at IS NULL GROUP BY c.status) s) AS "queueItems",
      coalesce(extract(epoch FROM now() - least(r.workflows, r.callers)), 0)::float8 AS "oldestReady",
      coalesce(extract(epoch FROM now() - r.workflows), 0)::float8 AS "oldestReadyForWorkflows",
      (SELECT count(*)::int FROM api_keys
        WHERE revoked_at IS NULL AND expires_at > now() AND expires_at < now() + interval '14 days'
          AND expires_at - created_at > interval '14 days' AND last_used_at > now() - interval '14 days') AS "apiKeysExpiring",
      (SELECT count(*)::int FROM connections WHERE status = 'needsReconnect') AS "connectionsBroken",
      (SELECT coalesce(jsonb_object_agg(task_queue, n), '{}') FROM (
        SELECT task_queue, count(*) AS n FROM execution_steps
        WHERE task_queue IS NOT NULL AND status = 'WAITING' GROUP BY task_queue ORDER BY n DESC LIMIT 100) w)
        AS "workerQueuesWaiting"
    FROM (
      SELECT count(*)::int AS open, coalesce(extract(epoch FROM now() - min(requested_at)), 0)::float8 AS age,
        (count(*) FILTER (WHERE expires_at BETWEEN now() AND now() + interval '1 hour'
          AND expires_at - requested_at > interval '1 hour'))::int AS expiring
      FROM pending_inputs WHERE status = 'OPEN'
    ) q, (
      SELECT min(updated_at) FILTER (WHERE starts) AS workflows, min(updated_at) FILTER (WHERE NOT starts) AS callers
      FROM (
        SELECT i.updated_at, EXISTS (SELECT FROM queue_consumers c WHERE c.queue_id = q.id) AS starts
        FROM queue_items i JOIN queues q ON q.id = i.queue_id AND q.is_active
        WHERE i.ready_rank IS NOT NULL
      ) ready
    ) r`;
  return row;
}
