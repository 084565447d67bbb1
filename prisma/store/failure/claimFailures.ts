import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { anyWaiting, claimableInTurn, type DueCondition, type DueRows, workspacesInTurn } from '../dueRows.ts';

export interface ClaimedFailure {
  executionId: string;
  workspaceId: string;
  workflowId: string;
  handlerExecutionId: string;
  /** Its execution already exists: the process that started it died before it recorded the start. */
  isStarted: boolean;
  attempts: number;
}

/** How long a claim lasts if its holder dies. Claiming a failure twice starts the same execution. */
const CLAIM_SECONDS = 5;

/** Failures whose error workflow has not started. Rounded to milliseconds, a new row may seem to be in the future. */
const FAILURES: DueRows = {
  table: Prisma.sql`failure_handlings`,
  id: Prisma.sql`execution_id`,
  waiting: Prisma.sql`status = 'PENDING'`,
  time: Prisma.sql`not_before`,
  until: Prisma.sql`now() + interval '2 milliseconds'`,
};

export const anyFailure = (buckets: readonly number[]): DueCondition => anyWaiting(FAILURES, buckets);

/** Workspaces take turns. `idOf`: the execution that handles a failed one; written before that execution exists. */
export async function claimFailures(
  database: Database,
  buckets: readonly number[],
  limit: number,
  idOf: (executionId: string) => string,
): Promise<ClaimedFailure[]> {
  const claimed = await database.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE ${workspacesInTurn(FAILURES)}
    UPDATE failure_handlings SET attempts = attempts + 1, not_before = now() + make_interval(secs => ${CLAIM_SECONDS})
    WHERE execution_id = ANY (${claimableInTurn(FAILURES, buckets, limit)})
    RETURNING execution_id AS id`;
  if (claimed.length === 0) return [];
  const handlers = JSON.stringify(claimed.map(({ id }) => ({ id, handler: idOf(id) })));
  return database.$queryRaw<ClaimedFailure[]>`
    UPDATE failure_handlings f SET handler_execution_id = c.handler
    FROM jsonb_to_recordset(${handlers}::jsonb) AS c(id uuid, handler uuid) WHERE f.execution_id = c.id
    RETURNING f.execution_id AS "executionId", f.workspace_id AS "workspaceId",
      f.handler_workflow_id AS "workflowId", f.handler_execution_id AS "handlerExecutionId", f.attempts,
      EXISTS (SELECT FROM executions h WHERE h.id = f.handler_execution_id) AS "isStarted"`;
}
