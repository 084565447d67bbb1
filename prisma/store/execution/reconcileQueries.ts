import type { Labels } from '../../../domain/execution/labels.ts';
import type { Progress } from '../../../domain/execution/progress.ts';
import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import {
  ago,
  anyDue,
  anyWaiting,
  claimableIds,
  claimableInTurn,
  type DueCondition,
  type DueRows,
  workspacesInTurn,
} from '../dueRows.ts';
import { ENDED } from './endedStatus.ts';

// Queries of the reconciler over all workspaces. Each is bounded and uses an index.

export interface UnstartedExecution {
  executionId: string;
  workspaceId: string;
  projectId: string | null;
  workflowId: string | null;
  versionId: string | null;
  source: 'WORKFLOW' | 'SDK';
  name: string;
  number: number;
  /** The engine's id of the workflow that has to start it, if any. */
  starterId: string | null;
  /** The execution to which that workflow belongs. */
  parentExecutionId: string | null;
  progress: Progress | null;
  takesOver: boolean;
  /** Null: not computed yet. */
  labels: Labels | null;
  timeoutMs: number | null;
  limited: boolean;
  /** It was held: if its starter began it, it waits for the release. */
  released: boolean;
}

/** Columns of the row `e`, except those that a release changes. */
export const UNSTARTED_COLUMNS = Prisma.sql`e.id AS "executionId", e.workspace_id AS "workspaceId",
  e.project_id AS "projectId", e.workflow_id AS "workflowId", e.version_id AS "versionId", e.source, e.name, e.number,
  e.starter_id AS "starterId", e.parent_execution_id AS "parentExecutionId", e.initial_progress AS progress,
  e.take_over IS NOT NULL AS "takesOver", e.labels,
  coalesce((SELECT w.timeout_ms FROM workflows w WHERE w.id = e.workflow_id),
    (SELECT d.timeout_ms FROM deleted_workflows d WHERE d.id = e.workflow_id))::float8 AS "timeoutMs"`;

/** The exact condition of the index of executions that have not started. */
const UNSTARTED = {
  table: Prisma.sql`executions`,
  waiting: Prisma.sql`(status = 'PENDING') IS TRUE AND NOT held`,
  time: Prisma.sql`reconciled_at`,
};

/** Includes those that were tried recently. */
export const anyUnstarted = (buckets: readonly number[]): DueCondition => anyWaiting(UNSTARTED, buckets);

/** Claims rows without a try for `ageMs` (a lost start, or an unavailable engine). Reads at most `limit` per workspace. */
export async function claimUnstarted(
  database: Database,
  ageMs: number,
  buckets: readonly number[],
  limit: number,
): Promise<UnstartedExecution[]> {
  return database.$queryRaw<UnstartedExecution[]>`
    WITH RECURSIVE ${workspacesInTurn(UNSTARTED)}
    UPDATE executions e SET reconciled_at = now()
    WHERE id = ANY (${claimableInTurn({ ...UNSTARTED, until: ago(ageMs) }, buckets, limit)})
    RETURNING ${UNSTARTED_COLUMNS}, e.limited, e.released_at IS NOT NULL AS released`;
}

/** The execution, turn or step that was to start it has ended, so nothing can begin it. */
export async function isAbandoned(
  database: Database,
  {
    workspaceId,
    executionId,
    starterId,
  }: Pick<UnstartedExecution, 'workspaceId' | 'executionId'> & { starterId: string },
  of: 'execution' | 'step',
): Promise<boolean> {
  const turn = isUuid(starterId)
    ? Prisma.sql`OR EXISTS (SELECT FROM task_runs r WHERE r.id = ${starterId}::uuid AND r.workspace_id = e.workspace_id
        AND r.status NOT IN ('QUEUED', 'RUNNING'))`
    : Prisma.empty;
  // The step records what it started; it is closed with its iteration while the execution continues.
  const ended =
    of === 'execution'
      ? Prisma.sql`EXISTS (SELECT FROM executions p WHERE p.id = e.parent_execution_id AND p.workspace_id = e.workspace_id
          AND p.stopped_at IS NOT NULL)
          ${turn}`
      : Prisma.sql`EXISTS (SELECT FROM execution_steps s WHERE s.execution_id = e.parent_execution_id AND s.workspace_id = e.workspace_id
          AND s.status = 'CANCELLED' AND s.input->>'executionId' = e.id::text)`;
  const [row] = await database.$queryRaw<{ is: boolean }[]>`
    SELECT ${ended} AS is FROM executions e
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid AND e.status = 'PENDING'`;
  return row?.is === true;
}

function unsentAnswers(ageMs: number): DueRows {
  return {
    table: Prisma.sql`pending_inputs`,
    waiting: Prisma.sql`status = 'SUBMITTED'`,
    time: Prisma.sql`signalled_at`,
    until: ago(ageMs),
    wanted: Prisma.sql`now() - signalled_at >= signalled_at - submitted_at`,
  };
}

export const anyUnsentAnswer = (ageMs: number, buckets: readonly number[]): DueCondition =>
  anyDue(unsentAnswers(ageMs), buckets);

/** Claims answers whose signal was lost. The interval begins at `ageMs` and doubles: each signal is an event in a history. */
export async function claimUnsentAnswers(
  database: Database,
  ageMs: number,
  buckets: readonly number[],
  limit: number,
): Promise<UnsentAnswer[]> {
  return database.$queryRaw<UnsentAnswer[]>`
    UPDATE pending_inputs p SET signalled_at = now()
    WHERE p.id = ANY (${claimableIds(unsentAnswers(ageMs), buckets, limit)})
    RETURNING p.id, p.execution_id AS "executionId", p.node_id AS "nodeId", p.iteration, p.host`;
}

export async function unclaimUnsentAnswers(database: Database, ids: readonly string[]): Promise<void> {
  await database.$executeRaw`
    UPDATE pending_inputs SET signalled_at = submitted_at WHERE id = ANY (${[...ids]}::uuid[]) AND status = 'SUBMITTED'`;
}

export interface UnsentAnswer {
  id: string;
  executionId: string;
  nodeId: string;
  iteration: string;
  host: string | null;
}

export interface OpenExecution {
  executionId: string;
  workspaceId: string;
  status: ExecutionStatus;
  starterId: string | null;
  workflowId: string | null;
  limited: boolean;
}

function uncompared(ageMs: number): DueRows {
  return {
    table: Prisma.sql`executions`,
    waiting: Prisma.sql`status NOT IN ${ENDED}`,
    time: Prisma.sql`reconciled_at`,
    until: ago(ageMs),
  };
}

export const anyUncompared = (ageMs: number, buckets: readonly number[]): DueCondition =>
  anyDue(uncompared(ageMs), buckets);

export async function claimOpenExecutions(
  database: Database,
  which: { executionIds: string[] } | { ageMs: number; buckets: readonly number[]; limit: number },
): Promise<OpenExecution[]> {
  const rows =
    'executionIds' in which
      ? Prisma.sql`id = ANY (${which.executionIds}::uuid[])`
      : Prisma.sql`id = ANY (${claimableIds(uncompared(which.ageMs), which.buckets, which.limit)})`;
  return database.$queryRaw<OpenExecution[]>`
    UPDATE executions SET reconciled_at = now()
    WHERE status NOT IN ${ENDED} AND ${rows}
    RETURNING id AS "executionId", workspace_id AS "workspaceId", status,
      starter_id AS "starterId", workflow_id AS "workflowId", limited`;
}
