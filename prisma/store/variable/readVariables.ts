import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import type { VariableSelection } from '../execution/createExecution.ts';

/** Values by name, as a start in the project has them: its own before the workspace's of the same name. */
export async function readVariables(
  database: Database,
  workspaceId: string,
  projectId: string,
  selection: VariableSelection,
): Promise<JsonObject> {
  const names = selection === 'all' ? null : selection.names;
  if (names?.length === 0) return {};
  // Raw: of one name the project's own hides the workspace's, which DISTINCT ON says.
  const [row] = await database.$queryRaw<{ variables: JsonObject }[]>`
    SELECT coalesce(jsonb_object_agg(v.name, v.value), '{}') AS variables FROM (
      SELECT DISTINCT ON (a.name) a.name, a.value FROM variables a
      WHERE a.workspace_id = ${workspaceId}::uuid
        AND (a.project_id IS NULL OR a.project_id = ${projectId}::uuid)
        AND (${names}::text[] IS NULL OR a.name = ANY (${names}::text[]))
      ORDER BY a.name, a.project_id NULLS LAST
    ) v`;
  return row?.variables ?? {};
}
