import type { KeptSecret } from '../../../domain/execution/keptSecret.ts';
import { type Labels, NO_LABELS } from '../../../domain/execution/labels.ts';
import type { StartedBy } from '../../../domain/execution/startedBy.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { type Trace, traceText } from '../../../domain/trace/trace.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { isoTime } from '../resource.ts';
import { keepSecrets } from './secrets.ts';

export type VariableSelection = { names: string[] } | 'all';

export interface NewExecution {
  id: string;
  trigger: Json;
  variables: VariableSelection;
  requestId: string;
  startedBy: StartedBy;
  /** The people behind the start of a workflow's execution; undefined: those behind `startedBy`. */
  starters?: readonly string[] | undefined;
  secrets?: readonly KeptSecret[];
  labels?: Labels;
  /** The position in an existing trace; undefined: a new trace. */
  trace?: Trace | undefined;
  /** A caller waits for its end or its answer. */
  isAwaited?: boolean;
}

export interface CreatedExecution {
  name: string;
  projectId: string | null;
  number: number;
  startedAt: string;
  variables: JsonObject;
}

export interface CreatedWorkflowExecution extends CreatedExecution {
  timeoutMs: number | null;
  /** It may not begin yet: the workflow is paused or has reached its limit. */
  held: boolean;
  /** It counts towards the limit of the workflow. */
  limited: boolean;
}

/** Undefined, without a write, if the workflow is inactive or at another version, or the id exists. */
export async function createWorkflowExecution(
  database: Database,
  workspaceId: string,
  { workflowId, versionId }: { workflowId: string; versionId: string },
  execution: NewExecution,
): Promise<CreatedWorkflowExecution | undefined> {
  const {
    id,
    trigger,
    variables,
    requestId,
    startedBy,
    starters,
    secrets = [],
    labels = NO_LABELS,
    trace,
    isAwaited,
  } = execution;
  const { type, by } = startedBy;
  const labelled = labels === NO_LABELS ? Prisma.empty : Prisma.sql`, p_labels => ${JSON.stringify(labels)}::jsonb`;
  const noticed = isAwaited ? Prisma.sql`, p_notice => 'each'` : Prisma.empty;
  const onBehalf = starters ? Prisma.sql`, p_starters => ${[...starters]}::uuid[]` : Prisma.empty;
  const names = variables === 'all' ? null : variables.names;
  const call = Prisma.sql`accept_execution(${workspaceId}::uuid, ${workflowId}::uuid, ${versionId}::uuid, ${id}::uuid,
      ${JSON.stringify(trigger)}::jsonb, ${names}::text[], ${requestId}, ${type}, ${by?.type ?? null},
      ${by?.id ?? null}::uuid${labelled}${noticed}${onBehalf}, p_trace => ${trace ? traceText(trace) : null})`;
  const accepted = Prisma.sql`SELECT name, "projectId", number, variables,
      ${isoTime(Prisma.sql`"startedAt"`)} AS "startedAt", "timeoutMs", held, limited`;
  // Raw: the check of the cached head and the start are one call of a function; the hottest statement of all.
  const [row] = await rowsOf<CreatedWorkflowExecution>(
    database,
    secrets.length === 0
      ? Prisma.sql`${accepted} FROM ${call}`
      : Prisma.sql`WITH c AS MATERIALIZED (SELECT * FROM ${call}),
          secrets AS (${keepSecrets(workspaceId, Prisma.sql`${id}::uuid`, secrets, Prisma.sql`1 FROM c`)})
        ${accepted} FROM c`,
  );
  return row;
}

export interface OwnDefinition {
  name: string;
  definition: Definition;
  starterId?: string;
  /** The workflow whose draft it tests. */
  workflow?: { id: string; projectId: string; isInternal: boolean };
}

/** Creates an execution with its own definition: an ad-hoc run, or a test of a draft. Undefined if the id exists. */
export async function createAdHocExecution(
  database: Database,
  workspaceId: string,
  execution: NewExecution & OwnDefinition,
): Promise<CreatedExecution | undefined> {
  const { workflow, variables, secrets = [], labels = NO_LABELS } = execution;
  const { type, by } = execution.startedBy;
  const names = variables === 'all' ? null : variables.names;
  const [row] = await database.$queryRaw<CreatedExecution[]>`
    WITH counted AS (
      UPDATE workspaces SET execution_count = execution_count + 1 WHERE id = ${workspaceId}::uuid
      RETURNING execution_count
    ), made AS (
      INSERT INTO executions (id, workspace_id, project_id, workflow_id, definition, number, name, source, is_internal,
        trigger, variables, request_id, starter_id, started_by_type, started_by_id, starters, labels, trace, notice)
      SELECT ${execution.id}::uuid, ${workspaceId}::uuid, ${workflow?.projectId ?? null}::uuid,
        ${workflow?.id ?? null}::uuid, ${JSON.stringify(execution.definition)}::jsonb, execution_count,
        ${execution.name}, ${workflow ? 'WORKFLOW' : 'SDK'}, ${workflow?.isInternal ?? false},
        ${JSON.stringify(execution.trigger)}::jsonb,
        variables_at_start(${workspaceId}::uuid, ${workflow?.projectId ?? null}::uuid, ${names}::text[]),
        ${execution.requestId}, ${execution.starterId ?? null}, ${type},
        ${type === by?.type ? by.id : null}::uuid, ${startersOf(workspaceId, execution)},
        ${JSON.stringify(labels)}::jsonb, ${execution.trace ? traceText(execution.trace) : null}, ${noticeOf(execution)}
      FROM counted
      ON CONFLICT (id) DO NOTHING
      RETURNING *
    ), secrets AS (${keepSecrets(workspaceId, Prisma.sql`${execution.id}::uuid`, secrets, Prisma.sql`1 FROM made`)})
    SELECT name, project_id AS "projectId", number, variables, ${isoTime(Prisma.sql`started_at`)} AS "startedAt" FROM made`;
  return row;
}

/** Chooses what notify_change sends. No admission queue waits for an execution that a workflow starts. */
function noticeOf({ isAwaited, starterId }: { isAwaited?: boolean; starterId?: string }): 'each' | 'first' | 'none' {
  if (isAwaited) return 'each';
  return starterId === undefined ? 'first' : 'none';
}

/** Executions that an agent starts belong to the starters of its turn. */
function startersOf(
  workspaceId: string,
  { startedBy: { type, by }, starterId }: Pick<NewExecution, 'startedBy'> & { starterId?: string },
): Prisma.Sql {
  if (type === 'agent' && starterId !== undefined) {
    return Prisma.sql`coalesce(starters_of_turn(${workspaceId}::uuid, ${starterId}), '{}')`;
  }
  return Prisma.sql`array_remove(ARRAY[person_of(${by?.type ?? null}, ${by?.id ?? null}::uuid)], NULL)`;
}
