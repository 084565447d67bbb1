import type { Database } from '../../client.ts';

/** A failed execution whose error workflow is to be started. */
export interface ClaimedFailure {
  executionId: string;
  workspaceId: string;
  /** The error workflow, and the id of its execution. */
  workflowId: string;
  handlerExecutionId: string;
  /** Its execution exists: the process that started it died before it recorded that. */
  isStarted: boolean;
  /** Claims, this one included. */
  attempts: number;
}

/** Lease of a claim whose holder dies. A failure that is claimed twice starts the same execution. */
const CLAIM_SECONDS = 5;

/**
 * Failures of all workspaces that are due, for one at a time to handle: at most `limit`, of each workspace in turn.
 * `idOf` says which execution of the error workflow handles that of a failed one; it is written before there is one.
 */
export async function claimFailures(
  database: Database,
  limit: number,
  idOf: (executionId: string) => string,
): Promise<ClaimedFailure[]> {
  // Times are rounded to a millisecond: a row just written may seem to lie ahead. Raw: workspaces take turns, by a
  // window over the due rows.
  const due = await database.$queryRaw<{ id: string }[]>`
    SELECT execution_id AS id FROM (
      SELECT execution_id, not_before, row_number() OVER (PARTITION BY workspace_id ORDER BY not_before) AS turn
      FROM failure_handlings WHERE status = 'PENDING' AND not_before <= now() + interval '1 millisecond'
    ) waiting ORDER BY turn, not_before LIMIT ${limit}::int`;
  if (due.length === 0) return [];
  const handlers = JSON.stringify(due.map(({ id }) => ({ id, handler: idOf(id) })));
  // Raw: it claims, for one process each.
  return database.$queryRaw<ClaimedFailure[]>`
    UPDATE failure_handlings f SET
      handler_execution_id = c.handler, attempts = f.attempts + 1,
      not_before = now() + make_interval(secs => ${CLAIM_SECONDS})
    FROM (
      SELECT p.execution_id, x.handler
      FROM failure_handlings p JOIN jsonb_to_recordset(${handlers}::jsonb) AS x(id uuid, handler uuid)
        ON x.id = p.execution_id
      WHERE p.status = 'PENDING' AND p.not_before <= now() + interval '1 millisecond'
      FOR UPDATE OF p SKIP LOCKED
    ) c
    WHERE f.execution_id = c.execution_id
    RETURNING f.execution_id AS "executionId", f.workspace_id AS "workspaceId",
      f.handler_workflow_id AS "workflowId", f.handler_execution_id AS "handlerExecutionId", f.attempts,
      EXISTS (SELECT FROM executions h WHERE h.id = f.handler_execution_id) AS "isStarted"`;
}
