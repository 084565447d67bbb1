import type { StoredVariable } from '../../../domain/execution/keptSecret.ts';
import { isUuid } from '../../../domain/isUuid.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import type { VariableSelection } from '../execution/createExecution.ts';

export interface NewVariable {
  id: string;
  /** Null: belongs to the whole workspace. */
  projectId: string | null;
  name: string;
  description: string | null;
  stored: StoredValue;
}

/** The columns of a value: a secret one has a mark (secretVariable.ts) and the sealed value, in Base64. */
export interface StoredValue {
  value: Json;
  isSecret: boolean;
  sealed: string | null;
  keyId: string | null;
}

export type VariableInsertion = 'inserted' | 'projectUnknown';

/** A second try with the same id counts as inserted. A duplicate name violates a constraint (constraints.ts). */
export async function insertVariable(
  database: Database,
  workspaceId: string,
  variable: NewVariable,
): Promise<VariableInsertion> {
  return (await insertVariables(database, workspaceId, [variable])) === 1 ? 'inserted' : 'projectUnknown';
}

export async function insertVariables(
  database: Database,
  workspaceId: string,
  variables: readonly NewVariable[],
): Promise<number> {
  if (variables.length === 0) return 0;
  const records = variables.map(({ stored, ...variable }) => ({
    ...variable,
    ...stored,
    value: JSON.stringify(stored.value),
  }));
  const [row] = await rowsOf<{ there: number }>(
    database,
    Prisma.sql`
    WITH given AS MATERIALIZED (
      SELECT r.*, r."projectId" IS NULL OR p.id IS NOT NULL AS placed FROM ${recordset(records, COLUMNS)}
      LEFT JOIN projects p ON p.id = r."projectId" AND p.workspace_id = ${workspaceId}::uuid
    ), inserted AS (
      INSERT INTO variables (id, workspace_id, project_id, name, value, is_secret, sealed, key_id, description)
      SELECT id, ${workspaceId}::uuid, "projectId", name, value::jsonb, "isSecret", decode(sealed, 'base64'), "keyId",
        description
      FROM given WHERE placed
      ON CONFLICT (id) DO NOTHING
      RETURNING id
    )
    SELECT count(*)::int AS there FROM given g
    WHERE g.placed OR EXISTS (SELECT FROM variables v WHERE v.id = g.id AND v.workspace_id = ${workspaceId}::uuid)`,
  );
  return row?.there ?? 0;
}

const COLUMNS = {
  id: 'uuid',
  projectId: 'uuid',
  name: 'text',
  value: 'text',
  isSecret: 'boolean',
  sealed: 'text',
  keyId: 'text',
  description: 'text',
} as const;

/** Returns the mark of a secret variable. Undefined if the workspace has no such variable. */
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

/** Returns these variables, by name; the project's variable of the same name comes last. */
export async function namedVariables(database: Database, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return database.variable.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { name: true, description: true, value: true, isSecret: true },
    orderBy: [{ name: 'asc' }, { projectId: { sort: 'asc', nulls: 'first' } }],
  });
}

export interface ReadVariables {
  /** Secret variables have marks here. */
  variables: JsonObject;
  secretVariables: Record<string, StoredVariable> | null;
}

/** Returns values by name, for a start in the project (null: in none): its own hide the workspace's of the same name. */
export async function readVariables(
  database: Database,
  workspaceId: string,
  projectId: string | null,
  selection: VariableSelection,
): Promise<ReadVariables> {
  const names = selection === 'all' ? null : selection.names;
  if (names?.length === 0) return { variables: {}, secretVariables: null };
  // Raw: DISTINCT ON makes the project's own hide the workspace's of the same name.
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

/** Returns the names that an execution in the project can read. */
export async function variableNames(database: Database, workspaceId: string, projectId: string): Promise<string[]> {
  const rows = await database.variable.findMany({
    where: { workspaceId, OR: [{ projectId: null }, { projectId }] },
    select: { name: true },
  });
  return rows.map(({ name }) => name);
}
