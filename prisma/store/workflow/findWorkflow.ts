import { isUuid } from '../../../domain/isUuid.ts';
import type { Json } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

/** Returns the workflow with that slug: one of the execution's project comes first. */
export async function findWorkflowBySlug(
  database: Database,
  workspaceId: string,
  executionId: string,
  slug: string,
): Promise<string | undefined> {
  const [row] = await database.$queryRaw<{ id: string }[]>`
    SELECT w.id FROM workflows w
    WHERE w.workspace_id = ${workspaceId}::uuid AND w.slug = ${slug}
    ORDER BY w.project_id IS DISTINCT FROM (
      SELECT e.project_id FROM executions e
      WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid), w.created_at, w.id
    LIMIT 1`;
  return row?.id;
}

/** Returns the id of the workflow with that slug; `project` is an id, which comes first, or a slug. */
export async function findWorkflowInProject(
  database: Database,
  workspaceId: string,
  project: string,
  slug: string,
): Promise<string | undefined> {
  const rows = await database.workflow.findMany({
    where: {
      ...{ workspaceId, slug, isInternal: false },
      project: { workspaceId, OR: [{ slug: project }, ...(isUuid(project) ? [{ id: project }] : [])] },
    },
    select: { id: true, projectId: true },
    take: 2,
  });
  return (rows.find(({ projectId }) => projectId === project.toLowerCase()) ?? rows[0])?.id;
}

/** The triggers of a workflow, including secrets; null if it has no version or no draft. */
export interface StoredTriggers {
  published: Json;
  draft: Json;
}

/** Undefined if the project has no such workflow. */
export async function readTriggersBySlug(
  database: Database,
  workspaceId: string,
  projectId: string,
  slug: string,
): Promise<StoredTriggers | undefined> {
  const [row] = await database.$queryRaw<StoredTriggers[]>`
    SELECT v.definition -> 'trigger' AS published, d.body -> 'trigger' AS draft
    FROM workflows w LEFT JOIN workflow_versions v ON v.id = w.version_id
      LEFT JOIN workflow_drafts d ON d.workflow_id = w.id
    WHERE w.workspace_id = ${workspaceId}::uuid AND w.project_id = ${projectId}::uuid AND w.slug = ${slug}`;
  return row;
}

export interface WorkflowHead {
  id: string;
  workspaceId: string;
  projectId: string;
  name: string;
  isActive: boolean;
  isInternal: boolean;
  timeoutMs: number | null;
  versionId: string;
}

export const NOT_PUBLISHED = 'The workflow has no published version: publish its draft first';

/** `workspaceId` is undefined for webhooks, whose callers have none. Throws NOT_PUBLISHED. */
export async function readWorkflowHead(
  database: Database,
  workspaceId: string | undefined,
  workflowId: string,
): Promise<WorkflowHead | undefined> {
  const head = await findWorkflowHead(database, workspaceId, workflowId);
  if (head === 'unpublished') throw new Problem('NOT_PUBLISHED', NOT_PUBLISHED);
  return head;
}

export async function findWorkflowHead(
  database: Database,
  workspaceId: string | undefined,
  workflowId: string,
): Promise<WorkflowHead | 'unpublished' | undefined> {
  const head = await database.workflow.findUnique({
    where: { id: workflowId, ...(workspaceId === undefined ? {} : { workspaceId }) },
    select: {
      ...{ id: true, workspaceId: true, projectId: true, name: true, isActive: true, isInternal: true },
      ...{ timeoutMs: true, versionId: true },
    },
  });
  if (!head) return undefined;
  const { versionId, timeoutMs } = head;
  if (versionId === null) return 'unpublished';
  return { ...head, versionId, timeoutMs: timeoutMs === null ? null : Number(timeoutMs) };
}

export async function readWorkflowPlace(
  database: Database,
  workspaceId: string,
  workflowId: string,
): Promise<{ projectId: string; slug: string } | undefined> {
  const where = { id: workflowId, workspaceId };
  return (await database.workflow.findUnique({ where, select: { projectId: true, slug: true } })) ?? undefined;
}

export async function readVersionDefinition(
  database: Database,
  workspaceId: string,
  versionId: string,
): Promise<Definition | undefined> {
  const where = { id: versionId, workspaceId };
  const row = await database.workflowVersion.findUnique({ where, select: { definition: true } });
  return row?.definition as Definition | undefined;
}
