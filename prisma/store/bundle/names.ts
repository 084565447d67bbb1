import type { Viewer } from '../../../domain/access/viewer.ts';
import type { ReferenceKind } from '../../../domain/reference/reference.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { mayUseConnection } from '../connection/mayUseConnection.ts';

export interface NamedRow {
  kind: ReferenceKind;
  id: string;
  slug: string;
  /** Null: of the workspace. */
  projectId: string | null;
  /** The app of a connection that the viewer may use. */
  what: string | null;
}

/** Reads all targets of `@kind/slug` in the workspace, the older first. */
export function readNames(database: Database, viewer: Viewer): Promise<NamedRow[]> {
  const of = Prisma.sql`workspace_id = ${viewer.workspaceId}::uuid`;
  return rowsOf<NamedRow>(
    database,
    Prisma.sql`
    SELECT kind, id, slug, project_id AS "projectId", what FROM (
      SELECT 'workflow' AS kind, id, slug, project_id, NULL AS what, created_at FROM workflows WHERE ${of}
      UNION ALL SELECT 'agent', id, slug, project_id, NULL, created_at FROM agents WHERE ${of}
      UNION ALL SELECT 'queue', id, slug, project_id, NULL, created_at FROM queues WHERE ${of} AND deleted_at IS NULL
      UNION ALL SELECT 'variable', id, name, project_id, NULL, created_at FROM variables WHERE ${of}
      UNION ALL SELECT 'objectType', id, slug, NULL, NULL, created_at FROM object_types WHERE ${of}
      UNION ALL SELECT 'knowledge', id, slug, NULL, NULL, created_at FROM knowledge_bases WHERE ${of}
      UNION ALL SELECT 'connection', c.id, c.slug, NULL,
        CASE WHEN ${mayUseConnection(viewer, Prisma.sql`c`)} THEN c.workflow_app_id END, c.created_at
      FROM connections c WHERE ${of}
    ) named ORDER BY created_at, id`,
  );
}

export function readSubAgents(
  database: Database,
  workspaceId: string,
): Promise<{ id: string; subAgentIds: string[] }[]> {
  return rowsOf(
    database,
    Prisma.sql`SELECT id, definition -> 'subAgentIds' AS "subAgentIds" FROM agents
      WHERE workspace_id = ${workspaceId}::uuid AND definition -> 'subAgentIds' <> '[]'::jsonb`,
  );
}
