import type { Database } from '../../client.ts';

export type FailureSettlement =
  | { status: 'STARTED' }
  | { status: 'NOT_STARTED'; error: { code: string; message: string } }
  | { status: 'PENDING'; retryInMs: number };

/** Writes the state of a failure. STARTED replaces any state that another process has written. */
export async function settleFailure(
  database: Database,
  workspaceId: string,
  executionId: string,
  settlement: FailureSettlement,
): Promise<void> {
  const error = settlement.status === 'NOT_STARTED' ? JSON.stringify(settlement.error) : null;
  const retryInMs = settlement.status === 'PENDING' ? settlement.retryInMs : 0;
  await database.$executeRaw`
    UPDATE failure_handlings SET status = ${settlement.status}, error = ${error}::jsonb,
      not_before = now() + make_interval(secs => ${retryInMs / 1_000})
    WHERE execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid
      AND (${settlement.status} = 'STARTED' OR (status = 'PENDING' AND NOT EXISTS (
        SELECT FROM executions h WHERE h.id = handler_execution_id)))`;
}
