import type { Credential } from '../../../domain/access/credential.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { type Expected, isAsExpected, rowTag, STALE } from '../rowTag.ts';

export interface WorkflowChange {
  /** Ids for the workflow and the version, where they come to be made. */
  workflowId: string;
  versionId: string;
  projectId: string;
  slug: string;
  /** Undefined: unchanged, or the slug, null, true, null, null, null, false, horizontal for a new workflow. */
  name: string | undefined;
  description: string | null | undefined;
  isActive: boolean | undefined;
  /** Null: as long as it likes. */
  timeoutMs: number | null | undefined;
  /** Null: no workflow is started by a failure. */
  onFailureWorkflowId: string | null | undefined;
  /** Null: as many as start. */
  maxConcurrent: number | null | undefined;
  isInternal: boolean | undefined;
  orientation: string | undefined;
  managedByCode: boolean;
  definition: Definition;
  /** Who stores it. */
  by: Credential;
  /** SHA-256 of the definition's canonical JSON. */
  hash: Buffer;
  /** What the definition names (domain/reference/namedBy.ts). */
  named: readonly string[];
  /** How the workflow has to be where this would change it: otherwise PRECONDITION_FAILED. */
  expected?: Expected | undefined;
}

export interface UpsertedWorkflow {
  id: string;
  name: string;
  slug: string;
  version: number;
  managedByCode: boolean;
  isActive: boolean;
  /** Of its row (rowTag.ts). */
  tag: string;
}

type Row = { projectFound: boolean; isStale: boolean } & {
  [Key in keyof UpsertedWorkflow]: UpsertedWorkflow[Key] | null;
};

/** More upserts of one slug than this at once are not people's. */
const MOST_TRIES = 20;

/**
 * Creates or changes the workflow with a slug, with a new version if the definition differs; one statement. Undefined
 * if the workspace has no such project. Of two concurrent calls the later one sees the write of the earlier.
 */
export async function upsertWorkflow(
  database: Database,
  workspaceId: string,
  change: WorkflowChange,
): Promise<UpsertedWorkflow | undefined> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    // Raw: whether there is a workflow, and whether its definition is another, is decided as it is written.
    const [row] = await database.$queryRaw<Row[]>(statement(workspaceId, change));
    if (!row?.projectFound) return undefined;
    const { projectFound: _, isStale, ...workflow } = row;
    if (workflow.id !== null) return workflow as UpsertedWorkflow;
    if (isStale) throw new Problem('PRECONDITION_FAILED', STALE);
  }
  throw new Error(`the workflow ${change.slug} was changed by others ${MOST_TRIES} times in a row`);
}

/**
 * `known` is the row in the statement's snapshot. If the row changed after the snapshot, its version is not visible:
 * the statement does nothing and returns no id, and the next try sees the change.
 */
function statement(workspaceId: string, change: WorkflowChange): Prisma.Sql {
  const { projectId, slug, versionId, hash } = change;
  const name = Prisma.sql`${change.name ?? null}::text`;
  const description = Prisma.sql`${change.description ?? null}::text`;
  const setsDescription = Prisma.sql`${change.description !== undefined}::boolean`;
  const isActive = Prisma.sql`${change.isActive ?? null}::boolean`;
  const timeoutMs = Prisma.sql`${change.timeoutMs ?? null}::bigint`;
  const setsTimeout = Prisma.sql`${change.timeoutMs !== undefined}::boolean`;
  const onFailure = Prisma.sql`${change.onFailureWorkflowId ?? null}::uuid`;
  const setsOnFailure = Prisma.sql`${change.onFailureWorkflowId !== undefined}::boolean`;
  const maxConcurrent = Prisma.sql`${change.maxConcurrent ?? null}::integer`;
  const setsConcurrent = Prisma.sql`${change.maxConcurrent !== undefined}::boolean`;
  const isInternal = Prisma.sql`${change.isInternal ?? null}::boolean`;
  const orientation = Prisma.sql`${change.orientation ?? null}::text`;
  const managedByCode = Prisma.sql`${change.managedByCode}::boolean`;
  /** The new row, without its version. */
  const wanted = Prisma.sql`(coalesce(${name}, w.name),
    CASE WHEN ${setsDescription} THEN ${description} ELSE w.description END, coalesce(${isActive}, w.is_active),
    coalesce(${isInternal}, w.is_internal), coalesce(${orientation}, w.orientation), ${managedByCode},
    CASE WHEN ${setsTimeout} THEN ${timeoutMs} ELSE w.timeout_ms END,
    CASE WHEN ${setsOnFailure} THEN ${onFailure} ELSE w.on_failure_workflow_id END,
    CASE WHEN ${setsConcurrent} THEN ${maxConcurrent} ELSE w.max_concurrent END)`;
  const present = Prisma.sql`(w.name, w.description, w.is_active, w.is_internal, w.orientation, w.managed_by_code,
    w.timeout_ms, w.on_failure_workflow_id, w.max_concurrent)`;
  const known = Prisma.sql`(SELECT v.hash FROM workflow_versions v WHERE v.id = w.version_id)`;
  const isThere = Prisma.sql`EXISTS (SELECT FROM workflows t
    WHERE t.project_id = ${projectId}::uuid AND t.slug = ${slug} AND ${isAsExpected(change.expected)})`;
  const mayWrite = change.expected === undefined ? Prisma.sql`true` : isThere;
  return Prisma.sql`
    WITH project AS (
      SELECT id FROM projects WHERE id = ${projectId}::uuid AND workspace_id = ${workspaceId}::uuid
    ), written AS (
      INSERT INTO workflows AS w (id, workspace_id, project_id, slug, name, description, is_active, is_internal,
        orientation, managed_by_code, timeout_ms, on_failure_workflow_id, max_concurrent, version_id, version)
      SELECT ${change.workflowId}::uuid, ${workspaceId}::uuid, id, ${slug}, coalesce(${name}, ${slug}), ${description},
        coalesce(${isActive}, true), coalesce(${isInternal}, false), coalesce(${orientation}, 'horizontal'),
        ${managedByCode}, ${timeoutMs}, ${onFailure}, ${maxConcurrent}, ${versionId}::uuid, 1
      FROM project WHERE ${mayWrite}
      ON CONFLICT (project_id, slug) DO UPDATE SET
        (name, description, is_active, is_internal, orientation, managed_by_code, timeout_ms,
          on_failure_workflow_id, max_concurrent) = ROW ${wanted},
        version_id = CASE WHEN ${known} = ${hash} THEN w.version_id ELSE excluded.version_id END,
        version = CASE WHEN ${known} = ${hash} THEN w.version ELSE w.version + 1 END,
        updated_at = now()
      WHERE ${isAsExpected(change.expected, Prisma.raw('w'))}
        AND (${known} <> ${hash} OR (${known} = ${hash} AND ${present} IS DISTINCT FROM ${wanted}))
      RETURNING w.*
    ), version AS (
      INSERT INTO workflow_versions (id, workspace_id, workflow_id, version, definition, hash, named, created_by_type,
        created_by_id)
      SELECT version_id, workspace_id, id, version, ${JSON.stringify(change.definition)}::jsonb, ${hash},
        ${[...change.named]}::text[], ${change.by.type}, ${change.by.id}::uuid
      FROM written WHERE version_id = ${versionId}::uuid
    ), unchanged AS (
      SELECT w.* FROM workflows w JOIN project p ON p.id = w.project_id
      WHERE w.slug = ${slug} AND ${known} = ${hash} AND ${present} IS NOT DISTINCT FROM ${wanted}
        AND NOT EXISTS (SELECT FROM written)
    )
    SELECT EXISTS (SELECT FROM project) AS "projectFound", NOT ${mayWrite} AS "isStale", r.id, r.name, r.slug, r.version,
      r.managed_by_code AS "managedByCode", r.is_active AS "isActive",
      ${rowTag(Prisma.raw('r'))} AS tag
    FROM (VALUES (1)) one
    LEFT JOIN (SELECT * FROM written UNION ALL SELECT * FROM unchanged) r ON true`;
}
