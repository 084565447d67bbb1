import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Field } from '../../../domain/field.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

export type PendingInputStatus = 'OPEN' | 'SUBMITTED' | 'APPLIED' | 'EXPIRED' | 'CLOSED';

export interface PendingInputRow {
  id: string;
  workspaceId: string;
  status: PendingInputStatus;
  fields: Field[];
  expired: boolean;
}

/** For a public submission: the execution's status, and the question when the node has asked one. */
export async function findPendingInput(
  database: Database,
  executionId: string,
  nodeId: string,
): Promise<{ executionStatus: ExecutionStatus; question: PendingInputRow | undefined } | undefined> {
  const [row] = await database.$queryRaw<(PendingInputRow & { executionStatus: ExecutionStatus; id: string | null })[]>`
    SELECT e.status AS "executionStatus", e.workspace_id AS "workspaceId", p.id, p.status, p.fields,
      COALESCE(p.expires_at <= now(), false) AS expired
    FROM executions e
    LEFT JOIN pending_inputs p ON p.execution_id = e.id AND p.node_id = ${nodeId} AND p.iteration = ''
    WHERE e.id = ${executionId}::uuid`;
  if (!row) return undefined;
  const { executionStatus, ...question } = row;
  return { executionStatus, question: question.id === null ? undefined : question };
}

/** Takes the question for this submission. False when another took it, or it is open no more. */
export async function claimPendingInput(
  database: Database,
  workspaceId: string,
  inputId: string,
  values: JsonObject,
): Promise<boolean> {
  const claimed = await database.$executeRaw`
    UPDATE pending_inputs SET status = 'SUBMITTED', "values" = ${JSON.stringify(values)}::jsonb, submitted_at = now(),
      signalled_at = now()
    WHERE id = ${inputId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'OPEN'
      AND (expires_at IS NULL OR expires_at > now())`;
  return claimed === 1;
}

/** What became of a question whose time is over: a submission that came before wins. */
export async function expirePendingInput(
  database: Database,
  workspaceId: string,
  executionId: string,
  nodeId: string,
): Promise<void> {
  await database.$executeRaw`
    UPDATE pending_inputs SET status = 'EXPIRED'
    WHERE execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND node_id = ${nodeId}
      AND iteration = '' AND status = 'OPEN'`;
}

export interface Answered {
  status: PendingInputStatus;
  values: JsonObject | null;
  submittedAt: Date | null;
}

/** Questions of these nodes, by node id. */
export async function readPendingInputs(
  database: Database,
  workspaceId: string,
  executionId: string,
  nodeIds: readonly string[],
): Promise<Map<string, Answered>> {
  const rows = await database.$queryRaw<(Answered & { nodeId: string })[]>`
    SELECT node_id AS "nodeId", status, "values", submitted_at AS "submittedAt" FROM pending_inputs
    WHERE execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND iteration = ''
      AND node_id = ANY (${[...nodeIds]}::text[])`;
  return new Map(rows.map(({ nodeId, ...answered }) => [nodeId, answered]));
}
