import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Exposed } from '../../../domain/mcp/exposedNames.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { maySeeAgent } from '../agent/agentAccess.ts';

export interface ExposedTool extends Exposed {
  projectId: string;
  name: string;
  /** The newest version of an active workflow that can be started with an input; null for others and for agents. */
  versionId: string | null;
  /** Agents only; grant-only callers see those of their grants. */
  isVisible: boolean;
}

/** All tools of the workspace, also those that the viewer may not call: each name depends on the others. */
export function readExposedTools(database: Database, workspaceId: string, viewer: Viewer): Promise<ExposedTool[]> {
  // Raw: two tables, and a grant that only SQL checks.
  return rowsOf<ExposedTool>(
    database,
    Prisma.sql`
    SELECT 'workflow' AS kind, w.id::text, w.slug, w.name, w.project_id::text AS "projectId", p.slug AS "projectSlug",
      w.expose_as_tool AS "exposeAsTool", false AS "isVisible",
      CASE WHEN w.is_active AND v.trigger_type IN ('manual', 'schedule') THEN v.id::text END AS "versionId"
    FROM workflows w JOIN projects p ON p.id = w.project_id LEFT JOIN workflow_versions v ON v.id = w.version_id
    WHERE w.workspace_id = ${workspaceId}::uuid AND w.expose_as_tool IS NOT NULL
    UNION ALL
    SELECT 'agent', a.id::text, a.slug, a.name, a.project_id::text, p.slug, a.definition -> 'exposeAsTool',
      ${maySeeAgent(viewer, Prisma.sql`a.id`)}, NULL
    FROM agents a JOIN projects p ON p.id = a.project_id
    WHERE a.workspace_id = ${workspaceId}::uuid AND jsonb_typeof(a.definition -> 'exposeAsTool') = 'object'`,
  );
}

/** Undefined if the workspace has no such project. */
export async function readProjectSlug(
  database: Database,
  workspaceId: string,
  projectId: string,
): Promise<string | undefined> {
  const where = { id: projectId, workspaceId };
  return (await database.project.findUnique({ where, select: { slug: true } }))?.slug ?? undefined;
}

/** Undefined if the workspace has no such workflow. */
export async function readWorkflowExposure(
  database: Database,
  workspaceId: string,
  workflowId: string,
): Promise<{ projectId: string; slug: string; triggerType: string | null } | undefined> {
  const row = await database.workflow.findUnique({
    where: { id: workflowId, workspaceId },
    select: { projectId: true, slug: true, newest: { select: { triggerType: true } } },
  });
  return row ? { projectId: row.projectId, slug: row.slug, triggerType: row.newest?.triggerType ?? null } : undefined;
}
