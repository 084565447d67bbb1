import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { isIn, SEEN_NOW } from '../changedRows.ts';

/** A request for the events that followers of several workspaces need. */
export interface Asked {
  /** Ids of changed executions and turns, of any workspace. */
  ids: readonly string[];
  workspaceIds: readonly string[];
  /** Workspaces whose queues are followed. */
  queuesOf: readonly string[];
  /** Maximum of entities per read, over all workspaces; one more row means that there are more. */
  mostObjects: number;
  /** Questions written after it are read; queues and entities written after `lookedAt`. Absent: none. */
  questionsSince?: string | undefined;
  lookedAt?: string | undefined;
}

interface Row {
  workspaceId: string;
}

export interface Changes {
  snapshot: string;
  executions: (Row & { id: string; status: ExecutionStatus; workflowId: string | null; isInternal: boolean })[];
  questions: (Row & { executionId: string; stepId: string; isOpen: boolean })[];
  /** The tasks of the requested turns, each once. */
  tasks: (Row & ChangedTask)[];
  queues: (Row & { id: string })[];
  objects: (Row & { id: string; objectTypeSlug: string })[];
}

export interface ChangedTask {
  taskId: string;
  agentId: string;
  runId: string;
  status: RunStatus;
  /** The creator, if it has a grant for the agent now; else null. Others need `agents:read`. */
  userId: string | null;
  apiKeyId: string | null;
}

const NOTHING = Prisma.sql`'[]'::json`;

export async function readChanges(database: Database, asked: Asked): Promise<Changes> {
  const { ids, workspaceIds, queuesOf, mostObjects, questionsSince, lookedAt } = asked;
  const changed = ids.length > 0;
  const among = Prisma.sql`ANY (${[...ids]}::uuid[])`;
  const followed = Prisma.sql`ANY (${[...workspaceIds]}::uuid[])`;
  const some = (isAsked: boolean, list: Prisma.Sql) => (isAsked ? list : NOTHING);
  const [row] = await rowsOf<Record<Exclude<keyof Changes, 'snapshot'>, never> & { snapshot: string }>(
    database,
    Prisma.sql`SELECT ${SEEN_NOW.snapshot} AS snapshot,
      ${some(changed, executionsSql(among, followed))} AS executions,
      ${questionsSince === undefined ? NOTHING : some(changed, questionsSql(among, followed, questionsSince))} AS questions,
      ${some(changed, tasksSql(among, followed))} AS tasks,
      ${lookedAt === undefined ? NOTHING : some(queuesOf.length > 0, queuesSql(queuesOf, lookedAt))} AS queues,
      ${lookedAt === undefined ? NOTHING : objectsSql(followed, lookedAt, mostObjects)} AS objects`,
  );
  if (!row) throw new Error('a statement of subselects without a row');
  return row;
}

function executionsSql(among: Prisma.Sql, followed: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('workspaceId', e.workspace_id, 'id', e.id,
      'status', e.status, 'workflowId', e.workflow_id, 'isInternal', e.is_internal) ORDER BY e.updated_at, e.id), '[]')
    FROM executions e WHERE e.id = ${among} AND e.workspace_id = ${followed})`;
}

function questionsSql(among: Prisma.Sql, followed: Prisma.Sql, since: string): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('workspaceId', p.workspace_id,
      'executionId', p.execution_id, 'stepId', p.id, 'isOpen', p.status = 'OPEN') ORDER BY p.requested_at, p.id), '[]')
    FROM pending_inputs p
    WHERE p.execution_id = ${among} AND p.workspace_id = ${followed} AND NOT ${isIn(since, Prisma.sql`p.xmin`)})`;
}

function tasksSql(among: Prisma.Sql, followed: Prisma.Sql): Prisma.Sql {
  const granted = (column: Prisma.Sql, creator: Prisma.Sql) => Prisma.sql`(SELECT g.${column} FROM share_grants g
    WHERE g.agent_id = t.agent_id AND g.${column} = t.${creator} AND (g.expires_at IS NULL OR g.expires_at > now()))`;
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('workspaceId', t.workspace_id, 'taskId', t.client_id,
      'agentId', t.agent_id, 'runId', r.id, 'status', r.status,
      'userId', ${granted(Prisma.sql`user_id`, Prisma.sql`created_by_user_id`)},
      'apiKeyId', ${granted(Prisma.sql`api_key_id`, Prisma.sql`created_by_api_key_id`)}) ORDER BY t.updated_at, t.id), '[]')
    FROM tasks t CROSS JOIN LATERAL (
      SELECT l.id, l.status FROM task_runs l WHERE l.task_id = t.id AND l.status <> 'QUEUED' ORDER BY l.number DESC LIMIT 1
    ) r
    WHERE t.workspace_id = ${followed} AND t.id IN (SELECT c.task_id FROM task_runs c WHERE c.id = ${among}))`;
}

/** Matches queues that were written, or whose counts were: each write of an item writes those. */
function queuesSql(workspaceIds: readonly string[], since: string): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('workspaceId', q.workspace_id, 'id', q.id) ORDER BY q.id), '[]')
    FROM queues q WHERE q.workspace_id = ANY (${[...workspaceIds]}::uuid[]) AND (NOT ${isIn(since, Prisma.sql`q.xmin`)}
      OR EXISTS (SELECT FROM queue_item_counts c WHERE c.queue_id = q.id AND NOT ${isIn(since, Prisma.sql`c.xmin`)})))`;
}

/** Finds entities by their changes: each write adds a row (note_object_changes). Leaves out those of a deleted type. */
function objectsSql(followed: Prisma.Sql, since: string, most: number): Prisma.Sql {
  const before = Prisma.sql`(SELECT transactions_before())`;
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('workspaceId', o.workspace_id, 'id', o.object_id,
      'objectTypeSlug', o.slug) ORDER BY o.last), '[]')
    FROM (
      SELECT c.workspace_id, c.object_id, t.slug, max(c.id) AS last
      FROM object_changes c JOIN object_types t ON t.id = c.object_type_id
      WHERE c.workspace_id = ${followed}
        AND c.transaction_id >= ${before} + ${since.split(':')[0]}::bigint
        AND NOT pg_visible_in_snapshot((c.transaction_id - ${before})::text::xid8, ${since}::pg_snapshot)
      GROUP BY c.workspace_id, c.object_id, t.slug ORDER BY last LIMIT ${most + 1}::int
    ) o)`;
}
