import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { VariableSelection } from '../execution/createExecution.ts';

export interface NewVariable {
  id: string;
  /** Null: of the whole workspace. */
  projectId: string | null;
  name: string;
  value: Json;
  description: string | null;
}

export type VariableInsertion = 'inserted' | 'projectUnknown';

/** A second try with the same id counts as inserted. A name that is taken fails by its constraint (constraints.ts). */
export async function insertVariable(
  database: Database,
  workspaceId: string,
  variable: NewVariable,
): Promise<VariableInsertion> {
  const { id, projectId, name, value, description } = variable;
  // Raw: whether the project is the workspace's is decided as it is written.
  const rows = await database.$queryRaw<{ outcome: VariableInsertion }[]>(Prisma.sql`
    WITH scope AS (
      SELECT 1 WHERE ${projectId}::uuid IS NULL
        OR EXISTS (SELECT 1 FROM projects WHERE id = ${projectId}::uuid AND workspace_id = ${workspaceId}::uuid)
    ), inserted AS (
      INSERT INTO variables (id, workspace_id, project_id, name, value, description)
      SELECT ${id}::uuid, ${workspaceId}::uuid, ${projectId}::uuid, ${name}, ${JSON.stringify(value)}::jsonb, ${description}
      FROM scope
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    )
    SELECT CASE WHEN EXISTS (SELECT 1 FROM scope)
      OR EXISTS (SELECT 1 FROM variables WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid)
      THEN 'inserted' ELSE 'projectUnknown' END AS outcome
    FROM (SELECT count(*) FROM inserted) AS counted`);
  return rows[0]?.outcome ?? 'projectUnknown';
}

/** The variables of the workspace among these ids, by name; the project's variable of the same name comes last. */
export async function namedVariables(database: Database, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return database.variable.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { name: true, description: true, value: true },
    orderBy: [{ name: 'asc' }, { projectId: { sort: 'asc', nulls: 'first' } }],
  });
}

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
