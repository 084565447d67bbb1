import type { Database } from '../../client.ts';
import { constraintProblem } from '../../constraints.ts';
import { isUniqueViolation } from '../../databaseErrors.ts';
import { Prisma } from '../../generated/client.ts';

export interface NewConnection {
  id: string;
  workflowAppId: string;
  connectionType: string;
  name: string;
  /** Absent: made of the name. */
  slug?: string | undefined;
  isDefault: boolean;
  isManaged: boolean;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

export interface InsertedConnection {
  name: string;
  isDefault: boolean;
}

/** Each round lets one through at least: room for as many at a time as a pool has connections, and more. */
const MOST_ATTEMPTS = 20;

/** Stores it and, where it is to be the default, takes that from the former one. A second try answers the first's row. */
export async function insertConnection(
  database: Database,
  workspaceId: string,
  connection: NewConnection,
): Promise<InsertedConnection> {
  return oneByOne(() => insertOnce(database, workspaceId, connection));
}

/** Of two concurrent new defaults the index on defaults admits one; the other sees it then. */
export async function oneByOne<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      const isSlug = constraintProblem(error) !== undefined;
      if (attempt === MOST_ATTEMPTS || isSlug || !isUniqueViolation(error)) throw error;
    }
  }
}

async function insertOnce(
  database: Database,
  workspaceId: string,
  connection: NewConnection,
): Promise<InsertedConnection> {
  const { id, workflowAppId, isDefault } = connection;
  // Raw: name, default and row are decided in one statement.
  const rows = await database.$queryRaw<InsertedConnection[]>(Prisma.sql`
    WITH present AS (
      SELECT name, is_default FROM connections WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid
    ), former AS (
      UPDATE connections SET is_default = false, updated_at = now()
      WHERE workspace_id = ${workspaceId}::uuid AND workflow_app_id = ${workflowAppId} AND is_default
        AND ${isDefault} AND NOT EXISTS (SELECT 1 FROM present)
      RETURNING id
    ), inserted AS (
      INSERT INTO connections (id, workspace_id, workflow_app_id, connection_type, name, slug, is_default, is_managed,
        credentials, key_id)
      SELECT ${id}::uuid, ${workspaceId}::uuid, ${workflowAppId}, ${connection.connectionType}, ${connection.name},
        ${connection.slug ?? null}, ${isDefault}, ${connection.isManaged}, ${connection.sealed}, ${connection.keyId}
      -- Counting makes Postgres finish the update first: there is never a moment with two defaults.
      FROM (SELECT count(*) FROM former) AS moved
      WHERE NOT EXISTS (SELECT 1 FROM present)
      RETURNING name, is_default
    )
    SELECT name, is_default AS "isDefault" FROM inserted
    UNION ALL
    SELECT name, is_default FROM present`);
  const row = rows[0];
  if (!row) throw new Error(`Connection ${id} was neither stored nor there`);
  return row;
}
