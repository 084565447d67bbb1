import type { StoredVariable } from '../../../domain/execution/keptSecret.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { VariableSelection } from '../execution/createExecution.ts';

export interface NewVariable {
  id: string;
  /** Null: of the whole workspace. */
  projectId: string | null;
  name: string;
  description: string | null;
  stored: StoredValue;
}

/** The columns of a value: of a secret one a mark (secretVariable.ts), and what is sealed, in Base64. */
export interface StoredValue {
  value: Json;
  isSecret: boolean;
  sealed: string | null;
  keyId: string | null;
}

export type VariableInsertion = 'inserted' | 'projectUnknown';

/** A second try with the same id counts as inserted. A name that is taken fails by its constraint (constraints.ts). */
export async function insertVariable(
  database: Database,
  workspaceId: string,
  variable: NewVariable,
): Promise<VariableInsertion> {
  const { id, projectId, name, description, stored } = variable;
  // Raw: whether the project is the workspace's is decided as it is written.
  const rows = await database.$queryRaw<{ outcome: VariableInsertion }[]>(Prisma.sql`
    WITH scope AS (
      SELECT 1 WHERE ${projectId}::uuid IS NULL
        OR EXISTS (SELECT 1 FROM projects WHERE id = ${projectId}::uuid AND workspace_id = ${workspaceId}::uuid)
    ), inserted AS (
      INSERT INTO variables (id, workspace_id, project_id, name, value, is_secret, sealed, key_id, description)
      SELECT ${id}::uuid, ${workspaceId}::uuid, ${projectId}::uuid, ${name}, ${JSON.stringify(stored.value)}::jsonb,
        ${stored.isSecret}::boolean, decode(${stored.sealed}::text, 'base64'), ${stored.keyId}::text, ${description}
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

/** Of a secret one the mark. Undefined where the workspace has no such variable. */
export async function readStoredValue(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<{ value: Json; isSecret: boolean } | undefined> {
  if (!isUuid(id)) return undefined;
  const row = await database.variable.findUnique({
    where: { id, workspaceId },
    select: { value: true, isSecret: true },
  });
  return row === null ? undefined : { value: row.value as Json, isSecret: row.isSecret };
}

/** The variables of the workspace among these ids, by name; the project's variable of the same name comes last. */
export async function namedVariables(database: Database, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return database.variable.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { name: true, description: true, value: true, isSecret: true },
    orderBy: [{ name: 'asc' }, { projectId: { sort: 'asc', nulls: 'first' } }],
  });
}

export interface ReadVariables {
  /** Of secret ones marks. */
  variables: JsonObject;
  secretVariables: Record<string, StoredVariable> | null;
}

/** Values by name, as a start in the project has them: its own before the workspace's of the same name. */
export async function readVariables(
  database: Database,
  workspaceId: string,
  projectId: string,
  selection: VariableSelection,
): Promise<ReadVariables> {
  const names = selection === 'all' ? null : selection.names;
  if (names?.length === 0) return { variables: {}, secretVariables: null };
  // Raw: of one name the project's own hides the workspace's, which DISTINCT ON says.
  const [row] = await database.$queryRaw<ReadVariables[]>`
    SELECT coalesce(jsonb_object_agg(v.name, v.value), '{}') AS variables,
      jsonb_object_agg(v.name, jsonb_build_object('workspaceId', v.workspace_id, 'variableId', v.id,
        'sealed', encode(v.sealed, 'base64'), 'keyId', v.key_id)) FILTER (WHERE v.is_secret) AS "secretVariables"
    FROM (
      SELECT DISTINCT ON (a.name) a.* FROM variables a
      WHERE a.workspace_id = ${workspaceId}::uuid
        AND (a.project_id IS NULL OR a.project_id = ${projectId}::uuid)
        AND (${names}::text[] IS NULL OR a.name = ANY (${names}::text[]))
      ORDER BY a.name, a.project_id NULLS LAST
    ) v`;
  return row ?? { variables: {}, secretVariables: null };
}
