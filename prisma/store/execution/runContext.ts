import type { ExecutionStatus, StepStatus } from '../../../domain/execution/status.ts';
import type { StepError } from '../../../domain/execution/stepRecord.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** What an activity needs to know of an execution: what expressions can name, and what was written before. */
export interface RunContext {
  status: ExecutionStatus;
  name: string;
  number: number;
  startedAt: string;
  workflowId: string | null;
  trigger: Json;
  variables: JsonObject;
  steps: Record<string, RecordedStep>;
}

export interface RecordedStep {
  id: string;
  status: StepStatus;
  attempt: number;
  handle: string | null;
  output: Json;
  error: StepError | null;
  /** Epoch milliseconds. */
  wakeAt: number | null;
}

/** Which steps to read: by node id, or all. */
export type StepSelection = readonly string[] | 'all';

/** Columns of `executions e` that make a RunContext. */
export function contextColumns(steps: StepSelection): Prisma.Sql {
  const which = steps === 'all' ? Prisma.sql`true` : Prisma.sql`s.node_id = ANY (${[...steps]}::text[])`;
  return Prisma.sql`
    e.status, e.name, e.number, e.workflow_id AS "workflowId", e.trigger, e.variables,
    to_char(e.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "startedAt",
    ${
      steps.length === 0
        ? Prisma.sql`'{}'::jsonb`
        : Prisma.sql`COALESCE((
      SELECT jsonb_object_agg(s.node_id, jsonb_build_object(
        'id', s.id, 'status', s.status, 'attempt', s.attempt, 'handle', s.handle, 'output', s.output,
        'error', s.error, 'wakeAt', floor(extract(epoch FROM s.wake_at) * 1000)))
      FROM execution_steps s WHERE s.execution_id = e.id AND s.iteration = '' AND ${which}), '{}'::jsonb)`
    } AS steps`;
}

/** Undefined when there is no such execution in the workspace. */
export async function readRunContext(
  database: Database,
  workspaceId: string,
  executionId: string,
  steps: StepSelection,
): Promise<RunContext | undefined> {
  const [row] = await database.$queryRaw<RunContext[]>`
    SELECT ${contextColumns(steps)} FROM executions e
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid`;
  return row;
}
