import { isUuid } from '../../../domain/isUuid.ts';
import type { Database } from '../../client.ts';

/** A workflow as a node names it; by slug, the project's own comes first (findWorkflow.ts). */
export interface WorkflowName {
  by: 'workflowId' | 'slug';
  name: string;
  projectId: string | undefined;
}

export interface FoundWorkflow {
  id: string;
  name: string;
  projectId: string;
  /** Null: not published. */
  versionId: string | null;
}

/** In the order of `names`; undefined for those that the workspace does not have. */
export async function findNamedWorkflows(
  database: Database,
  workspaceId: string,
  names: readonly WorkflowName[],
): Promise<(FoundWorkflow | undefined)[]> {
  const wanted = names.flatMap(({ by, name, projectId }, place): object[] => {
    if (by === 'slug') return [{ place, slug: name, project: projectId }];
    return isUuid(name) ? [{ place, id: name }] : [];
  });
  const rows = await database.$queryRaw<(FoundWorkflow & { place: number })[]>`
    SELECT wanted.place, found.id, found.name, found.project_id AS "projectId", found.version_id AS "versionId"
    FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS wanted (place int, id uuid, slug text, project uuid)
    CROSS JOIN LATERAL (
      SELECT w.id, w.name, w.project_id, w.version_id FROM workflows w
      WHERE w.workspace_id = ${workspaceId}::uuid AND w.id = wanted.id
      UNION ALL
      (SELECT w.id, w.name, w.project_id, w.version_id FROM workflows w
       WHERE w.workspace_id = ${workspaceId}::uuid AND w.slug = wanted.slug
       ORDER BY w.project_id IS DISTINCT FROM wanted.project, w.created_at, w.id
       LIMIT 1)
    ) found`;
  const byPlace = new Map(rows.map(({ place, ...found }) => [place, found]));
  return names.map((_, place) => byPlace.get(place));
}
