import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Field } from '../../../domain/field.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';

export type PendingInputStatus = 'OPEN' | 'SUBMITTED' | 'APPLIED' | 'EXPIRED' | 'CLOSED';

export interface PendingInputRow {
  id: string;
  workspaceId: string;
  status: PendingInputStatus;
  fields: Field[];
  expired: boolean;
  iteration: string;
  /** The workflow that waits, where it is not the execution's own. */
  host: string | null;
}

/** For a public submission: the execution's status, and what the node has asked: open questions before others. */
export async function findPendingInput(
  database: Database,
  executionId: string,
  nodeId: string,
  stepId: string | undefined,
): Promise<{ executionStatus: ExecutionStatus; questions: PendingInputRow[] } | undefined> {
  const rows = await database.$queryRaw<(PendingInputRow & { executionStatus: ExecutionStatus; id: string | null })[]>`
    SELECT e.status AS "executionStatus", e.workspace_id AS "workspaceId", p.id, p.status, p.fields, p.iteration,
      p.host, COALESCE(p.expires_at <= now(), false) AS expired
    FROM executions e
    LEFT JOIN pending_inputs p ON p.execution_id = e.id AND p.node_id = ${nodeId}
      AND (${stepId ?? null}::text IS NULL OR p.id::text = ${stepId ?? null})
    WHERE e.id = ${executionId}::uuid
    ORDER BY p.status <> 'OPEN', p.requested_at DESC, p.id DESC LIMIT ${MOST_QUESTIONS}`;
  const [first] = rows;
  if (!first) return undefined;
  return { executionStatus: first.executionStatus, questions: rows.filter(({ id }) => id !== null) };
}

/** As many as a problem names. */
const MOST_QUESTIONS = 20;

/**
 * Adds the submission to the question; with the last that it takes, it is answered. Undefined when others took it, or
 * it is open no more.
 */
export async function claimPendingInput(
  database: Database,
  workspaceId: string,
  inputId: string,
  values: JsonObject,
): Promise<{ answered: boolean } | undefined> {
  const submission = Prisma.sql`jsonb_build_object('values', ${JSON.stringify(values)}::jsonb,
    'submittedAt', ${isoTime(Prisma.sql`now()`)})`;
  const [row] = await database.$queryRaw<{ answered: boolean }[]>`
    UPDATE pending_inputs SET submissions = submissions || ${submission},
      status = CASE WHEN jsonb_array_length(submissions) + 1 >= required THEN 'SUBMITTED' ELSE 'OPEN' END,
      submitted_at = now(), signalled_at = now()
    WHERE id = ${inputId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'OPEN'
      AND (expires_at IS NULL OR expires_at > now())
    RETURNING status = 'SUBMITTED' AS answered`;
  return row;
}

/** What became of a question whose time is over: a submission that came before wins. */
export async function expirePendingInput(
  database: Database,
  workspaceId: string,
  executionId: string,
  nodeId: string,
  iteration: string,
): Promise<void> {
  await database.$executeRaw`
    UPDATE pending_inputs SET status = 'EXPIRED'
    WHERE execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND node_id = ${nodeId}
      AND iteration = ${iteration} AND status = 'OPEN'`;
}

export interface Answered {
  status: PendingInputStatus;
  submissions: Submission[];
  required: number;
}

export interface Submission {
  values: JsonObject;
  /** ISO text. */
  submittedAt: string;
}

/** Questions of these nodes, by node id. */
export async function readPendingInputs(
  database: Database,
  workspaceId: string,
  executionId: string,
  nodeIds: readonly string[],
  iteration: string,
): Promise<Map<string, Answered>> {
  const rows = await database.$queryRaw<(Answered & { nodeId: string })[]>`
    SELECT node_id AS "nodeId", status, submissions, required FROM pending_inputs
    WHERE execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND iteration = ${iteration}
      AND node_id = ANY (${[...nodeIds]}::text[])`;
  return new Map(rows.map(({ nodeId, ...answered }) => [nodeId, answered]));
}
