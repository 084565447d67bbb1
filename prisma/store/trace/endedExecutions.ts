import type { EndedExecution, TracedStep } from '../../../domain/trace/executionSpans.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { TraceCursor } from './cursors.ts';

/** Epoch milliseconds. */
export function millis(time: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(extract(epoch FROM ${time}) * 1000)::float8`;
}

/** Returns executions of all workspaces that ended after `after` and not later than `until`, in order. */
export async function readEndedExecutions(
  database: Database,
  after: TraceCursor,
  until: Date,
  most: number,
): Promise<(Omit<EndedExecution, 'endedAt'> & TraceCursor)[]> {
  return database.$queryRaw<(Omit<EndedExecution, 'endedAt'> & TraceCursor)[]>`
    SELECT e.id, e.workspace_id AS "workspaceId", e.trace, e.name, e.number, e.workflow_id AS "workflowId",
      e.workflow_version AS "workflowVersion", e.started_by_type AS "startedByType", e.status, e.error_code AS "errorCode",
      ${millis(Prisma.sql`e.created_at`)} AS "createdAt", e.stopped_at AS "endedAt",
      CASE WHEN r.id IS NOT NULL THEN jsonb_build_object('id', r.id, 'trace', r.trace) END AS "retryOf"
    FROM executions e LEFT JOIN executions r ON r.id = e.retry_of_id AND r.workspace_id = e.workspace_id
    WHERE e.stopped_at >= ${after.endedAt} AND e.stopped_at <= ${until}
      AND (e.stopped_at, e.id) > (${after.endedAt}, ${after.id}::uuid)
    ORDER BY e.stopped_at, e.id LIMIT ${most}`;
}

export interface StepsOf {
  executionId: string;
  steps: TracedStep[];
}

/** Returns the first `most` steps that ran in each execution; steps copied by a retry ran in an earlier one. */
export async function readTracedSteps(
  database: Database,
  executionIds: readonly string[],
  most: number,
): Promise<StepsOf[]> {
  return database.$queryRaw<StepsOf[]>`
    SELECT e.id AS "executionId", coalesce((
      SELECT jsonb_agg(jsonb_build_object('nodeId', s.node_id, 'iteration', s.iteration, 'type', s.type, 'appId', s.app_id,
        'actionId', s.action_id, 'status', s.status, 'attempt', s.attempt, 'code', s.error ->> 'code',
        'queuedAt', ${millis(Prisma.sql`s.queued_at`)}, 'startedAt', ${millis(Prisma.sql`s.started_at`)},
        'stoppedAt', ${millis(Prisma.sql`s.stopped_at`)}, 'attemptStartedAt', ${millis(Prisma.sql`s.attempt_started_at`)},
        'iterationsTotal', s.iterations_total, 'attempts', (
          SELECT jsonb_agg(a - 'error' || jsonb_build_object('code', a -> 'error' ->> 'code',
            'httpStatus', a -> 'error' -> 'details' -> 'status'))
          FROM jsonb_array_elements(s.attempts) a),
        'request', CASE WHEN s.app_id = 'http' AND s.action_id = 'request' AND s.input IS NOT NULL THEN jsonb_build_object(
          'method', coalesce(s.input ->> 'method', 'GET'), 'origin', substring(s.input ->> 'url' FROM '(?i)^https?://[^/?#]+'),
          'httpStatus', coalesce(s.output -> 'status', s.error -> 'details' -> 'status')) END) ORDER BY s.position)
      FROM (
        SELECT * FROM execution_steps o
        WHERE o.execution_id = e.id AND (o.copied_from_id IS NULL OR o.stopped_at >= e.created_at)
        ORDER BY o.position LIMIT ${most}) s), '[]') AS steps
    FROM executions e WHERE e.id = ANY (${[...executionIds]}::uuid[])`;
}
