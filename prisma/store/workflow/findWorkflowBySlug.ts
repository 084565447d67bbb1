import type { Database } from '../../client.ts';

/** The workflow of that slug: the project's of the execution before others of the workspace. */
export async function findWorkflowBySlug(
  database: Database,
  workspaceId: string,
  executionId: string,
  slug: string,
): Promise<string | undefined> {
  // Raw: the order asks whether it is the execution's project.
  const [row] = await database.$queryRaw<{ id: string }[]>`
    SELECT w.id FROM workflows w
    WHERE w.workspace_id = ${workspaceId}::uuid AND w.slug = ${slug}
    ORDER BY w.project_id IS DISTINCT FROM (
      SELECT e.project_id FROM executions e
      WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid), w.created_at, w.id
    LIMIT 1`;
  return row?.id;
}
