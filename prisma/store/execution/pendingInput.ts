import type { EarlierStep } from '../../../domain/execution/resume.ts';
import { secretTexts } from '../../../domain/execution/secretTexts.ts';
import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { StepRecord } from '../../../domain/execution/stepRecord.ts';
import type { AnswerRule, SubmittedBy, Submitter } from '../../../domain/execution/submission.ts';
import type { Field } from '../../../domain/field.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { Change, Noted } from './recordProgress.ts';
import { keepSecrets, rootOf } from './secrets.ts';

export type PendingInputStatus = 'OPEN' | 'SUBMITTED' | 'APPLIED' | 'EXPIRED' | 'CLOSED';

export interface Question extends AnswerRule {
  id: string;
  workspaceId: string;
  executionId: string;
  nodeId: string;
  fields: Field[];
  iteration: string;
  /** The waiting workflow, if it is not the execution's own. */
  host: string | null;
  /** Null for an ad-hoc run. */
  versionId: string | null;
  /** Steps of its scope; empty if no node depends on them. */
  steps: EarlierStep[];
}

export interface PendingInputRow extends Question {
  /** The known people who have submitted so far. */
  persons: string[];
  /** The last submitter; null if unknown. */
  lastBy: SubmittedBy | null;
  starters: string[];
  status: PendingInputStatus;
  expired: boolean;
}

export interface NamedQuestion {
  stepId?: string | undefined;
  iteration?: string | undefined;
}

/** Reads the execution's status and the node's questions, open ones first. Has no workspace: submissions are public. */
export async function findPendingInput(
  database: Database,
  executionId: string,
  nodeId: string,
  { stepId, iteration }: NamedQuestion = {},
): Promise<{ executionStatus: ExecutionStatus; questions: PendingInputRow[] } | undefined> {
  const rows = await database.$queryRaw<(PendingInputRow & { executionStatus: ExecutionStatus; id: string | null })[]>`
    SELECT e.status AS "executionStatus", e.workspace_id AS "workspaceId", e.id AS "executionId",
      e.version_id AS "versionId", p.id, p.node_id AS "nodeId", p.status, p.fields, p.iteration, p.host,
      p.required, p.submitters, p.exclude_starter AS "excludeStarter", e.starters,
      jsonb_path_query_array(p.submissions, '$[*].person') AS persons, p.submissions -> -1 -> 'by' AS "lastBy",
      COALESCE(p.expires_at <= now(), false) AS expired, (
        SELECT jsonb_agg(jsonb_build_object('nodeId', s.node_id, 'status', s.status, 'handle', s.handle))
        FROM execution_steps s WHERE s.execution_id = e.id AND s.iteration = p.iteration) AS steps
    FROM executions e
    LEFT JOIN pending_inputs p ON p.execution_id = e.id AND p.node_id = ${nodeId}
      AND (${stepId ?? null}::text IS NULL OR p.id::text = ${stepId ?? null})
      AND (${iteration ?? null}::text IS NULL OR p.iteration = ${iteration ?? null})
    WHERE e.id = ${executionId}::uuid
    ORDER BY p.status <> 'OPEN', p.requested_at DESC, p.id DESC LIMIT ${MAX_QUESTIONS}`;
  const [first] = rows;
  if (!first) return undefined;
  return { executionStatus: first.executionStatus, questions: rows.filter(({ id }) => id !== null) };
}

const MAX_QUESTIONS = 20;

/** `change` is set after the last required submission. */
export interface Submitted {
  change: Change | undefined;
}

/**
 * The last required submission completes the step; `queued` are the next ones. Undefined: closed, or already submitted.
 */
export async function submitAnswer(
  database: Database,
  {
    workspaceId,
    executionId,
    id,
    fields,
  }: Pick<Question, 'workspaceId' | 'executionId' | 'id'> & Partial<Pick<Question, 'fields'>>,
  values: JsonObject,
  queued: readonly StepRecord[],
  submitter?: Pick<Submitter, 'by' | 'person'>,
): Promise<Submitted | undefined> {
  const call = Prisma.sql`submit_input(${workspaceId}::uuid, ${executionId}::uuid, ${id}::uuid,
      ${JSON.stringify(submitter ? { by: submitter.by, person: submitter.person } : {})}::jsonb, ${JSON.stringify(values)}::jsonb,
      ${JSON.stringify(queued)}::jsonb)`;
  const notified = Prisma.sql`SELECT c.answered, c.revision, c.status, c.responded, c.noted`;
  const secrets = secretTexts(fields, values);
  const root = rootOf(workspaceId, executionId);
  const [row] = await rowsOf<{ answered: boolean } & Omit<Change, 'executionId'> & Noted>(
    database,
    secrets.length === 0
      ? Prisma.sql`${notified} FROM ${call} c`
      : Prisma.sql`WITH c AS MATERIALIZED (SELECT * FROM ${call}),
          secrets AS (${keepSecrets(workspaceId, root, secrets, Prisma.sql`1 FROM c`)})
        ${notified} FROM c`,
  );
  if (!row) return undefined;
  if (row.noted) database.observer.progressed(row.noted);
  const { answered, revision, status, responded } = row;
  return { change: answered ? { executionId, revision, status, responded } : undefined };
}

/** Prevents another delivery: the workflows have received these answers, or have ended. */
export async function markAnswersSent(database: Database, ids: readonly string[]): Promise<void> {
  await database.pendingInput.updateMany({
    where: { id: { in: [...ids] }, status: 'SUBMITTED' },
    data: { status: 'APPLIED' },
  });
}

/** Has no effect after a submission. */
export async function expirePendingInput(
  database: Database,
  workspaceId: string,
  executionId: string,
  nodeId: string,
  iteration: string,
): Promise<void> {
  await database.pendingInput.updateMany({
    where: { executionId, workspaceId, nodeId, iteration, status: 'OPEN' },
    data: { status: 'EXPIRED' },
  });
}

export interface Answered {
  status: PendingInputStatus;
  /** The output of its step; null before a submission. */
  answer: JsonObject | null;
}

export async function readPendingInputs(
  database: Database,
  workspaceId: string,
  executionId: string,
  nodeIds: readonly string[],
  iteration: string,
): Promise<Map<string, Answered>> {
  const rows = await database.$queryRaw<(Answered & { nodeId: string })[]>`
    SELECT node_id AS "nodeId", status, input_answer(submissions, required) AS answer FROM pending_inputs
    WHERE execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND iteration = ${iteration}
      AND node_id = ANY (${[...nodeIds]}::text[])`;
  return new Map(rows.map(({ nodeId, ...answered }) => [nodeId, answered]));
}
