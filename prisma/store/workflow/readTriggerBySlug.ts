import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

/** The trigger of the newest version, secrets included. Undefined where the project has no such workflow. */
export async function readTriggerBySlug(
  database: Database,
  workspaceId: string,
  projectId: string,
  slug: string,
): Promise<Json | undefined> {
  // Raw: of the newest version's definition the trigger alone is read.
  const [row] = await database.$queryRaw<{ trigger: Json }[]>`
    SELECT v.definition -> 'trigger' AS trigger
    FROM workflows w JOIN workflow_versions v ON v.id = w.version_id
    WHERE w.workspace_id = ${workspaceId}::uuid AND w.project_id = ${projectId}::uuid AND w.slug = ${slug}`;
  return row?.trigger;
}
