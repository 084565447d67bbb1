import type { ReadLimits } from '../../../domain/execution/readLimits.ts';
import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { feedStatus } from '../turn/notifyTurn.ts';
import { pathSql, type ShownPath, shownPath } from './executionPath.ts';
import { PENDING_INPUT_SQL, pendingInput } from './openQuestions.ts';
import type { Change, ExecutionResult } from './recordProgress.ts';
import { outputSql, type ShownOutput, shownOutput } from './shownOutput.ts';
import { STATUS_MESSAGE, shownStatusMessage } from './statusMessage.ts';

export interface Snapshot extends ShownOutput, ShownPath {
  executionId: string;
  revision: number;
  status: ExecutionStatus;
  statusMessage: string | null;
  pendingInput: Json;
}

export async function readSnapshot(
  database: Database,
  workspaceId: string,
  executionId: string,
  limits: ReadLimits,
): Promise<Snapshot | undefined> {
  const [row] = await database.$queryRaw<
    (Omit<Snapshot, keyof ShownOutput | keyof ShownPath | 'statusMessage'> & {
      shown: Json;
      message: Json;
      executionPath: Json;
    })[]
  >`
    SELECT t.id AS "executionId", t.revision, t.status, ${STATUS_MESSAGE} AS message,
      ${outputSql(limits.inlineBytes)} AS shown, ${pathSql(limits)} AS "executionPath", ${PENDING_INPUT_SQL} AS "pendingInput"
    FROM executions t WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  if (!row) return undefined;
  const { shown, message, executionPath: path, ...snapshot } = row;
  return {
    ...snapshot,
    statusMessage: shownStatusMessage(message, database.revealSecrets),
    ...shownOutput(shown, database.revealSecrets),
    ...shownPath(path, database.revealSecrets),
    pendingInput: pendingInput(row.pendingInput, database.revealSecrets, database.linkOf),
  };
}

/** Returns the end of an execution for internal use: without a size limit, and unmasked. */
export async function readExecutionResult(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<ExecutionResult | undefined> {
  const [row] = await database.$queryRaw<ExecutionResult[]>`
    SELECT status, status_message AS "statusMessage", output, response
    FROM executions WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  return row;
}

/** Reads states that the change feed may have missed. Needs no workspace: the ids come from waiters. */
export async function readStates(database: Database, executionIds: string[]): Promise<Change[]> {
  return database.$queryRaw<Change[]>`
    SELECT id AS "executionId", revision, status, response IS NOT NULL AS responded
    FROM executions WHERE id = ANY (${executionIds}::uuid[])
    UNION ALL
    SELECT id, revision, ${feedStatus(Prisma.sql`status`)}, false FROM task_runs WHERE id = ANY (${executionIds}::uuid[])`;
}
