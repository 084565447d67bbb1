import { iterationParts, scopeKeys } from '../../../domain/execution/iteration.ts';
import type { StoredVariable } from '../../../domain/execution/keptSecret.ts';
import type { ExecutionStatus, StepStatus } from '../../../domain/execution/status.ts';
import type { StepError } from '../../../domain/execution/stepRecord.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type StoredWorkerFacts, WORKER_FACTS_SQL } from './workerSteps.ts';

/** The context of an activity: the values that expressions can use, and the steps recorded so far. */
export interface RunContext {
  status: ExecutionStatus;
  name: string;
  number: number;
  startedAt: string;
  workflowId: string | null;
  /** For a retry: the first execution of its chain. */
  lineageId: string | null;
  /** The stored position in a trace (domain/trace/trace.ts). */
  trace: string | null;
  trigger: Json;
  variables: JsonObject;
  /** The sealed value of each secret variable, or the value if the variable is no longer secret. */
  secretVariables?: Record<string, StoredVariable | { value: Json }> | null;
  steps: Record<string, RecordedStep>;
  /** The loops around the scope, by node id; absent at the top and if nothing refers to them. */
  loops?: Record<string, { item?: Json; total: number | null }>;
  workerFacts?: StoredWorkerFacts;
}

export interface RecordedStep {
  id: string;
  status: StepStatus;
  attempt: number;
  handle: string | null;
  output: Json;
  error: StepError | null;
  /** The start of the first attempt, in epoch milliseconds. */
  startedAt: number | null;
  /** Epoch milliseconds. */
  wakeAt: number | null;
  /** For loops: the number of ended iterations. */
  done?: number;
  failed?: number;
  /** For loops: bytes of the entries of ended iterations (loopOutput.ts). */
  bytes?: number;
  /** For loops that resume in a retry: the number of reused iterations. */
  kept?: number | null;
}

export interface ContextSelection {
  steps: StepSelection;
  /** iteration.ts; absent at the top. */
  iteration?: string | undefined;
  /** Whether to read items and totals of the enclosing loops. */
  loops?: boolean;
  /** Whether a step may go to a customer's worker. */
  forWorker?: boolean;
}

export type StepSelection = readonly string[] | 'all';

/** Null for executions without secret variables, which Postgres checks in memory. */
const SECRET_VARIABLES = Prisma.sql`CASE WHEN e.variables @? '$.*." secret"' THEN (
      SELECT coalesce(json_object_agg(m.key, CASE WHEN v.is_secret THEN json_build_object('workspaceId', v.workspace_id,
        'variableId', v.id, 'sealed', encode(v.sealed, 'base64'), 'keyId', v.key_id)
        ELSE json_build_object('value', v.value) END), '{}')
      FROM jsonb_each(e.variables) m JOIN variables v
        ON v.id = (m.value ->> ' secret')::uuid AND v.workspace_id = e.workspace_id
      WHERE jsonb_typeof(m.value) = 'object' AND m.value ? ' secret') END`;

export function contextColumns({
  steps,
  iteration = '',
  loops = false,
  forWorker = false,
}: ContextSelection): Prisma.Sql {
  const which = steps === 'all' ? Prisma.sql`true` : Prisma.sql`s.node_id = ANY (${[...steps]}::text[])`;
  return Prisma.sql`
    e.status, e.name, e.number, e.workflow_id AS "workflowId", e.lineage_id AS "lineageId", e.trace, e.trigger, e.variables,
    ${SECRET_VARIABLES} AS "secretVariables",
    to_char(e.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "startedAt",
    ${
      steps.length === 0
        ? Prisma.sql`'{}'::jsonb`
        : Prisma.sql`COALESCE((
      SELECT jsonb_object_agg(s.node_id, jsonb_build_object(
        'id', s.id, 'status', s.status, 'attempt', s.attempt, 'handle', s.handle, 'output', s.output,
        'error', s.error, 'startedAt', floor(extract(epoch FROM s.started_at) * 1000),
        'wakeAt', floor(extract(epoch FROM s.wake_at) * 1000))
        || CASE WHEN s.type IN ('forEach', 'repeat')
          THEN jsonb_build_object('done', s.iterations_completed + s.iterations_failed, 'failed', s.iterations_failed,
            'bytes', s.iterations_bytes, 'kept', s.iterations_kept) ELSE '{}' END)
      FROM execution_steps s
      WHERE s.execution_id = e.id AND ${inScopes(iteration)} AND ${which}), '{}'::jsonb)`
    } AS steps${loops && iteration !== '' ? loopsColumn(iteration) : Prisma.empty}
    ${forWorker ? Prisma.sql`, ${WORKER_FACTS_SQL} AS "workerFacts"` : Prisma.empty}`;
}

function inScopes(iteration: string): Prisma.Sql {
  if (iteration === '') return Prisma.sql`s.iteration = ''`;
  return Prisma.sql`s.iteration = ANY (${scopeKeys(iteration)}::text[])`;
}

function loopsColumn(iteration: string): Prisma.Sql {
  const parts = iterationParts(iteration);
  return Prisma.sql`, (
    SELECT jsonb_object_agg(s.node_id, jsonb_build_object('total', s.iterations_total)
      || CASE WHEN s.type = 'forEach' THEN jsonb_build_object('item', s.input -> 'items' -> l.index) ELSE '{}' END)
    FROM unnest(${parts.map(({ loopId }) => loopId)}::text[], ${parts.map(({ parent }) => parent)}::text[],
      ${parts.map(({ index }) => index)}::int[]) AS l(node_id, iteration, index)
    JOIN execution_steps s
      ON s.execution_id = e.id AND s.node_id = l.node_id AND s.iteration = l.iteration) AS loops`;
}

export async function readRunContext(
  database: Database,
  workspaceId: string,
  executionId: string,
  selection: ContextSelection,
): Promise<RunContext | undefined> {
  // Raw: every region runs it; the values of expressions are one row.
  const [row] = await rowsOf<RunContext>(
    database,
    Prisma.sql`
    SELECT ${contextColumns(selection)} FROM executions e
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid`,
  );
  return row;
}
