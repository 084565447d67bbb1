import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { anyWaiting, claimableInTurn, type DueCondition, type DueRows, workspacesInTurn } from '../dueRows.ts';

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

/** Failures whose error workflow has not started. Times are rounded to a millisecond: a row just written may seem to lie ahead. */
const FAILURES: DueRows = {
  table: Prisma.sql`failure_handlings`,
  id: Prisma.sql`execution_id`,
  waiting: Prisma.sql`status = 'PENDING'`,
  time: Prisma.sql`not_before`,
  until: Prisma.sql`now() + interval '2 milliseconds'`,
};

export const anyFailure = (buckets: readonly number[]): DueCondition => anyWaiting(FAILURES, buckets);

/**
 * Failures that are due, for one at a time to handle: at most `limit`, of each workspace in turn. `idOf` says which
 * execution of the error workflow handles that of a failed one; it is written before there is one.
 */
export async function claimFailures(
  database: Database,
  buckets: readonly number[],
  limit: number,
  idOf: (executionId: string) => string,
): Promise<ClaimedFailure[]> {
  // Raw: one statement claims rows for one process.
  const claimed = await database.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE ${workspacesInTurn(FAILURES)}
    UPDATE failure_handlings SET attempts = attempts + 1, not_before = now() + make_interval(secs => ${CLAIM_SECONDS})
    WHERE execution_id = ANY (${claimableInTurn(FAILURES, buckets, limit)})
    RETURNING execution_id AS id`;
  if (claimed.length === 0) return [];
  const handlers = JSON.stringify(claimed.map(({ id }) => ({ id, handler: idOf(id) })));
  // Raw: a set of rows, each with its own value.
  return database.$queryRaw<ClaimedFailure[]>`
    UPDATE failure_handlings f SET handler_execution_id = c.handler
    FROM jsonb_to_recordset(${handlers}::jsonb) AS c(id uuid, handler uuid) WHERE f.execution_id = c.id
    RETURNING f.execution_id AS "executionId", f.workspace_id AS "workspaceId",
      f.handler_workflow_id AS "workflowId", f.handler_execution_id AS "handlerExecutionId", f.attempts,
      EXISTS (SELECT FROM executions h WHERE h.id = f.handler_execution_id) AS "isStarted"`;
}
