import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

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
