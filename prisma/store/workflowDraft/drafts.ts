import type { Credential } from '../../../domain/access/credential.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { isoTime } from '../resource.ts';
import { EXPECTATION, type Expected, expectation, meetsExpectation, rowTag } from '../rowTag.ts';
import { authorOf } from '../workflow/versionResource.ts';

export interface WorkflowDraft {
  body: JsonObject;
  /** The newest version when it was begun; null: none was published. */
  baseVersion: number | null;
  updatedAt: string;
  updatedBy: { type: string; id: string; name?: string } | null;
  tag: string;
}

/** A workflow and its draft. */
export interface DraftedWorkflow {
  id: string;
  projectId: string;
  slug: string;
  name: string;
  isManagedByCode: boolean;
  isInternal: boolean;
  isActive: boolean;
  timeoutMs: number | null;
  /** The newest version; null if none was published. */
  versionId: string | null;
  version: number;
  /** Tag of the workflow's row. */
  tag: string;
  draft: WorkflowDraft | null;
}

const [W, D] = [Prisma.raw('w'), Prisma.raw('d')];

const DRAFT = Prisma.sql`json_build_object('body', d.body, 'baseVersion', nullif(d.base_version, 0),
  'updatedAt', ${isoTime(Prisma.sql`d.updated_at`)}, 'updatedBy', ${authorOf({
    type: Prisma.sql`d.updated_by_type`,
    id: Prisma.sql`d.updated_by_id`,
    workspace: Prisma.sql`d.workspace_id`,
  })}, 'tag', ${rowTag(D)})`;

/** Undefined if the workspace has no such workflow. */
export async function readDraft(
  database: Database,
  workspaceId: string,
  workflowId: string,
): Promise<DraftedWorkflow | undefined> {
  // Raw: both tags and the author's name come from one snapshot.
  const [row] = await rowsOf<DraftedWorkflow>(
    database,
    Prisma.sql`
    SELECT w.id, w.project_id AS "projectId", w.slug, w.name, w.managed_by_code AS "isManagedByCode",
      w.is_internal AS "isInternal", w.is_active AS "isActive", w.version_id AS "versionId", w.version, w.timeout_ms::float8 AS "timeoutMs", ${rowTag(W)} AS tag,
      CASE WHEN d.workflow_id IS NOT NULL THEN ${DRAFT} END AS draft
    FROM workflows w LEFT JOIN workflow_drafts d ON d.workflow_id = w.id
    WHERE w.id = ${workflowId}::uuid AND w.workspace_id = ${workspaceId}::uuid`,
  );
  return row;
}

const MAX_TRIES = 20;

/**
 * Replaces or begins the draft. Undefined: it is not as expected, or the workflow is gone or managed by code. While there
 * is no draft, the tag of the workflow is expected.
 */
export async function saveDraft(
  database: Database,
  workspaceId: string,
  workflowId: string,
  { body, by, expected }: { body: JsonObject; by: Credential; expected: Expected | undefined },
): Promise<WorkflowDraft | undefined> {
  const given = recordset([{ body, byType: by.type, byId: by.id, ...expectation(expected) }], {
    ...{ body: 'jsonb', byType: 'text', byId: 'uuid' },
    ...EXPECTATION,
  });
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    // Raw: either the expected row changes, or the first one is made; a concurrent first one is found by another try.
    const [row] = await rowsOf<{ draft: WorkflowDraft | null; isOpen: boolean }>(
      database,
      Prisma.sql`
      WITH given AS MATERIALIZED (
        SELECT r.*, w.id, w.version, (NOT r."mustExist" OR ${rowTag(W)} = ANY (r.tags)) AND NOT EXISTS (
            SELECT FROM workflow_drafts d WHERE d.workflow_id = w.id) AS "mayBegin"
        FROM ${given}, workflows w
        WHERE w.id = ${workflowId}::uuid AND w.workspace_id = ${workspaceId}::uuid AND NOT w.managed_by_code
      ), changed AS (
        UPDATE workflow_drafts d SET body = g.body, updated_by_type = g."byType", updated_by_id = g."byId",
          updated_at = now()
        FROM given g WHERE d.workflow_id = g.id AND ${meetsExpectation(Prisma.raw('g'), D)}
        RETURNING d.*
      ), made AS (
        INSERT INTO workflow_drafts (workflow_id, workspace_id, body, base_version, updated_by_type, updated_by_id)
        SELECT g.id, ${workspaceId}::uuid, g.body, g.version, g."byType", g."byId" FROM given g
        WHERE g."mayBegin"
        ON CONFLICT (workflow_id) DO NOTHING
        RETURNING *
      )
      SELECT (SELECT ${DRAFT} FROM (SELECT * FROM changed UNION ALL SELECT * FROM made) d) AS draft,
        EXISTS (SELECT FROM given g WHERE NOT g."mustExist" OR g."mayBegin") AS "isOpen"`,
    );
    if (row?.draft) return row.draft;
    if (!row?.isOpen) return undefined;
  }
  throw new Error(`the draft of ${workflowId} was changed by others ${MAX_TRIES} times in a row`);
}

export interface NewDraft {
  workflowId: string;
  projectId: string;
  /** Undefined: made from the name. */
  slug: string | undefined;
  name: string;
  body: JsonObject;
  by: Credential;
}

/** Makes a workflow without a version, and its draft; a repeated id makes nothing. False if there is no such project. */
export async function createDraft(database: Database, workspaceId: string, draft: NewDraft): Promise<boolean> {
  const { workflowId, projectId, slug = null, name, body, by } = draft;
  // Raw: the workflow and its draft appear together.
  const [row] = await rowsOf<{ isThere: boolean }>(
    database,
    Prisma.sql`
    WITH project AS (
      SELECT p.id FROM projects p WHERE p.id = ${projectId}::uuid AND p.workspace_id = ${workspaceId}::uuid
    ), made AS (
      INSERT INTO workflows (id, workspace_id, project_id, slug, name, managed_by_code)
      SELECT ${workflowId}::uuid, ${workspaceId}::uuid, p.id, ${slug}, ${name}, false FROM project p
      WHERE NOT EXISTS (SELECT FROM workflows w WHERE w.id = ${workflowId}::uuid)
      ON CONFLICT (id) DO NOTHING RETURNING id
    ), drafted AS (
      INSERT INTO workflow_drafts (workflow_id, workspace_id, body, base_version, updated_by_type, updated_by_id)
      SELECT m.id, ${workspaceId}::uuid, ${JSON.stringify(body)}::jsonb, 0, ${by.type}, ${by.id}::uuid FROM made m
    )
    SELECT EXISTS (SELECT FROM project) AS "isThere"`,
  );
  return row?.isThere === true;
}

/** False if there is none, or it is not as expected. */
export async function deleteDraft(
  database: Database,
  workspaceId: string,
  workflowId: string,
  expected: Expected | undefined,
): Promise<boolean> {
  // Raw: the tag is compared in the statement that deletes.
  const rows = await rowsOf(
    database,
    Prisma.sql`
    DELETE FROM workflow_drafts d USING ${recordset([expectation(expected)], EXPECTATION)}
    WHERE d.workflow_id = ${workflowId}::uuid AND d.workspace_id = ${workspaceId}::uuid
      AND ${meetsExpectation(Prisma.raw('r'), D)}
    RETURNING d.workflow_id`,
  );
  return rows.length > 0;
}
