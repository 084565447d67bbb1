import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { executionPath, PENDING_INPUT_SQL, pendingInput, STEPS_SQL } from './executionPath.ts';
import type { ExecutionResult } from './recordProgress.ts';

/** An execution as its followers see it. */
export interface Snapshot {
  executionId: string;
  revision: number;
  status: ExecutionStatus;
  statusMessage: string | null;
  output: Json;
  executionPath: Json;
  pendingInput: Json;
}

export async function readSnapshot(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<Snapshot | undefined> {
  const [row] = await database.$queryRaw<Snapshot[]>`
    SELECT t.id AS "executionId", t.revision, t.status, t.status_message AS "statusMessage", t.output,
      ${STEPS_SQL} AS "executionPath", ${PENDING_INPUT_SQL} AS "pendingInput"
    FROM executions t WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  return (
    row && { ...row, executionPath: executionPath(row.executionPath), pendingInput: pendingInput(row.pendingInput) }
  );
}

export async function readResult(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<ExecutionResult | undefined> {
  const [row] = await database.$queryRaw<ExecutionResult[]>`
    SELECT status, status_message AS "statusMessage", output, response
    FROM executions WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  return row;
}
