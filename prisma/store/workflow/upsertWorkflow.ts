import type { Credential } from '../../../domain/access/credential.ts';
import type { ExposeAsTool } from '../../../domain/mcp/exposeAsTool.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { EXPECTATION, type Expected, expectation, meetsExpectation, rowTag, STALE } from '../rowTag.ts';

export interface WorkflowChange {
  workflowId: string;
  versionId: string;
  projectId: string;
  slug: string;
  /** Undefined: unchanged; for a new workflow the slug, null, true, null, null, null, null, false, horizontal. */
  name: string | undefined;
  description: string | null | undefined;
  isActive: boolean | undefined;
  /** Null: no timeout. */
  timeoutMs: number | null | undefined;
  /** Null: a failure starts no workflow. */
  onFailureWorkflowId: string | null | undefined;
  /** Null: no limit. */
  maxConcurrent: number | null | undefined;
  /** Null: no tool of the MCP server. */
  exposeAsTool: ExposeAsTool | null | undefined;
  isInternal: boolean | undefined;
  orientation: string | undefined;
  managedByCode: boolean;
  definition: Definition;
  by: Credential;
  hash: Buffer;
  /** The references of the definition (domain/reference/namedBy.ts). */
  named: readonly string[];
  /** The expected state of a workflow that this would change: otherwise PRECONDITION_FAILED. */
  expected?: Expected | undefined;
}

export interface UpsertedWorkflow {
  id: string;
  name: string;
  slug: string;
  version: number;
  managedByCode: boolean;
  isActive: boolean;
  tag: string;
}

type Row = { projectFound: boolean; isStale: boolean } & {
  [Key in keyof UpsertedWorkflow]: UpsertedWorkflow[Key] | null;
};

const MAX_TRIES = 20;

/**
 * A new version if the definition differs. Undefined without such a project. The later of two calls sees the earlier.
 */
export async function upsertWorkflow(
  database: Database,
  workspaceId: string,
  change: WorkflowChange,
): Promise<UpsertedWorkflow | undefined> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const [row] = await rowsOf<Row>(database, statement(workspaceId, [change]));
    if (!row?.projectFound) return undefined;
    const { projectFound: _, isStale, ...workflow } = row;
    if (workflow.id !== null) return workflow as UpsertedWorkflow;
    if (isStale) throw new Problem('PRECONDITION_FAILED', STALE);
  }
  throw new Error(`the workflow ${change.slug} was changed by others ${MAX_TRIES} times in a row`);
}

/** The slugs differ. Null if another call has written the workflow meanwhile, or the project does not exist. */
export async function upsertWorkflows(
  database: Database,
  workspaceId: string,
  changes: readonly WorkflowChange[],
): Promise<(string | null)[]> {
  if (changes.length === 0) return [];
  return (await rowsOf<Row>(database, statement(workspaceId, changes))).map(({ id }) => id);
}

const COLUMNS = {
  at: 'int',
  workflowId: 'uuid',
  versionId: 'uuid',
  projectId: 'uuid',
  slug: 'text',
  name: 'text',
  description: 'text',
  setsDescription: 'boolean',
  isActive: 'boolean',
  timeoutMs: 'bigint',
  setsTimeout: 'boolean',
  onFailureWorkflowId: 'uuid',
  setsOnFailure: 'boolean',
  maxConcurrent: 'int',
  setsConcurrent: 'boolean',
  exposeAsTool: 'jsonb',
  setsTool: 'boolean',
  isInternal: 'boolean',
  orientation: 'text',
  managedByCode: 'boolean',
  definition: 'jsonb',
  hash: 'text',
  named: 'text[]',
  byType: 'text',
  byId: 'uuid',
  ...EXPECTATION,
} as const;

function record({ by, hash, expected, ...change }: WorkflowChange, at: number): object {
  return {
    ...change,
    at,
    setsDescription: change.description !== undefined,
    setsTimeout: change.timeoutMs !== undefined,
    setsOnFailure: change.onFailureWorkflowId !== undefined,
    setsConcurrent: change.maxConcurrent !== undefined,
    setsTool: change.exposeAsTool !== undefined,
    hash: hash.toString('hex'),
    byType: by.type,
    byId: by.id,
    ...expectation(expected),
  };
}

/** `known` is the row in the statement's snapshot. If it has changed since, no id is returned; the next try sees it. */
function statement(workspaceId: string, changes: readonly WorkflowChange[]): Prisma.Sql {
  const [g, w] = [Prisma.raw('g'), Prisma.raw('w')];
  const wanted = Prisma.sql`(coalesce(g.name, w.name),
    CASE WHEN g."setsDescription" THEN g.description ELSE w.description END, coalesce(g."isActive", w.is_active),
    coalesce(g."isInternal", w.is_internal), coalesce(g.orientation, w.orientation), g."managedByCode",
    CASE WHEN g."setsTimeout" THEN g."timeoutMs" ELSE w.timeout_ms END,
    CASE WHEN g."setsOnFailure" THEN g."onFailureWorkflowId" ELSE w.on_failure_workflow_id END,
    CASE WHEN g."setsConcurrent" THEN g."maxConcurrent" ELSE w.max_concurrent END,
    CASE WHEN g."setsTool" THEN g."exposeAsTool" ELSE w.expose_as_tool END)`;
  const present = Prisma.sql`(w.name, w.description, w.is_active, w.is_internal, w.orientation, w.managed_by_code,
    w.timeout_ms, w.on_failure_workflow_id, w.max_concurrent, w.expose_as_tool)`;
  const known = Prisma.sql`(SELECT v.hash FROM workflow_versions v WHERE v.id = w.version_id)`;
  const its = Prisma.sql`w.project_id = g."projectId" AND w.slug = g.slug AND g."projectFound"`;
  return Prisma.sql`
    WITH given AS MATERIALIZED (
      SELECT r.*, decode(r.hash, 'hex') AS digest, p.id IS NOT NULL AS "projectFound"
      FROM ${recordset(changes.map(record), COLUMNS)}
      LEFT JOIN projects p ON p.id = r."projectId" AND p.workspace_id = ${workspaceId}::uuid
    ), changed AS (
      UPDATE workflows w SET
        (name, description, is_active, is_internal, orientation, managed_by_code, timeout_ms,
          on_failure_workflow_id, max_concurrent, expose_as_tool) = ROW ${wanted},
        version_id = CASE WHEN ${known} = g.digest THEN w.version_id ELSE g."versionId" END,
        version = CASE WHEN ${known} = g.digest THEN w.version ELSE w.version + 1 END,
        updated_at = now()
      FROM given g
      WHERE ${its} AND ${meetsExpectation(g, w)}
        AND (w.version_id IS NULL OR ${known} <> g.digest OR (${known} = g.digest AND ${present} IS DISTINCT FROM ${wanted}))
      RETURNING w.*
    ), made AS (
      INSERT INTO workflows AS w (id, workspace_id, project_id, slug, name, description, is_active, is_internal,
        orientation, managed_by_code, timeout_ms, on_failure_workflow_id, max_concurrent, expose_as_tool, version_id,
        version)
      SELECT g."workflowId", ${workspaceId}::uuid, g."projectId", g.slug, coalesce(g.name, g.slug), g.description,
        coalesce(g."isActive", true), coalesce(g."isInternal", false), coalesce(g.orientation, 'horizontal'),
        g."managedByCode", g."timeoutMs", g."onFailureWorkflowId", g."maxConcurrent", g."exposeAsTool",
        g."versionId", 1
      FROM given g
      WHERE g."projectFound" AND NOT g."mustExist" AND NOT EXISTS (SELECT FROM workflows w WHERE ${its})
      ON CONFLICT (project_id, slug) DO NOTHING
      RETURNING w.*
    ), written AS (
      SELECT * FROM changed UNION ALL SELECT * FROM made
    ), version AS (
      INSERT INTO workflow_versions (id, workspace_id, workflow_id, version, definition, hash, named, created_by_type,
        created_by_id)
      SELECT w.version_id, w.workspace_id, w.id, w.version, g.definition, g.digest, g.named, g."byType", g."byId"
      FROM written w JOIN given g ON g."versionId" = w.version_id
    ), unchanged AS (
      SELECT w.* FROM workflows w JOIN given g ON ${its}
      WHERE ${known} = g.digest AND ${present} IS NOT DISTINCT FROM ${wanted}
        AND NOT EXISTS (SELECT FROM written x WHERE x.id = w.id)
    )
    SELECT g."projectFound", g."mustExist" AND NOT EXISTS (
        SELECT FROM workflows w WHERE ${its} AND ${meetsExpectation(g, w)}) AS "isStale",
      r.id, r.name, r.slug, r.version, r.managed_by_code AS "managedByCode", r.is_active AS "isActive",
      ${rowTag(Prisma.raw('r'))} AS tag
    FROM given g
    LEFT JOIN (SELECT * FROM written UNION ALL SELECT * FROM unchanged) r
      ON r.project_id = g."projectId" AND r.slug = g.slug
    ORDER BY g.at`;
}
