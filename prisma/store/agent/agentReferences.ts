import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { mayUseConnection } from '../connection/mayUseConnection.ts';

export interface NamedIds {
  connectionIds: readonly string[];
  workflowIds: readonly string[];
  subAgentIds: readonly string[];
  knowledgeIds: readonly string[];
  objectIds: readonly string[];
  objectTypeIds: readonly string[];
  variableIds: readonly string[];
}

export type NamedKind = keyof NamedIds;

/** The existing resources, by `<setting> <id>`. */
export type KnownIds = ReadonlyMap<string, KnownId>;

export interface KnownId {
  /** The app of a connection, the trigger type of a workflow. */
  what: string | null;
  slug: string | null;
}

/** `own`: the agent itself, which cannot be its own sub-agent. */
export async function namedByAgent(
  database: Database,
  viewer: Viewer,
  named: NamedIds,
  own: { projectId: string; slug: string },
): Promise<KnownIds> {
  const of = (kind: NamedKind) =>
    Prisma.sql`n.workspace_id = ${viewer.workspaceId}::uuid AND n.id = ANY (${[...named[kind]]}::uuid[])`;
  const rows = await rowsOf<KnownId & { key: string }>(
    database,
    Prisma.sql`
    SELECT 'connectionIds ' || n.id AS key, n.workflow_app_id AS what, NULL AS slug FROM connections n
      WHERE ${of('connectionIds')} AND ${mayUseConnection(viewer, Prisma.sql`n`)}
    UNION ALL SELECT 'workflowIds ' || n.id, (
      SELECT v.definition #>> '{trigger,type}' FROM workflow_versions v WHERE v.id = n.version_id), n.slug
      FROM workflows n WHERE ${of('workflowIds')}
    UNION ALL SELECT 'subAgentIds ' || n.id, NULL, n.slug FROM agents n
      WHERE ${of('subAgentIds')} AND NOT (n.project_id = ${own.projectId}::uuid AND n.slug = ${own.slug})
    UNION ALL SELECT 'objectIds ' || n.id, NULL, NULL FROM objects n WHERE ${of('objectIds')} AND n.deleted_at IS NULL
    UNION ALL SELECT 'objectTypeIds ' || n.id, NULL, NULL FROM object_types n WHERE ${of('objectTypeIds')}
    UNION ALL SELECT 'knowledgeIds ' || n.id, NULL, NULL FROM knowledge_bases n WHERE ${of('knowledgeIds')}
    UNION ALL SELECT 'variableIds ' || n.id, NULL, NULL FROM variables n WHERE ${of('variableIds')}`,
  );
  return new Map(rows.map(({ key, ...known }) => [key, known]));
}
