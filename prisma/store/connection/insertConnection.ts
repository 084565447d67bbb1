import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { Subject } from './mayUseConnection.ts';

export interface NewConnection {
  id: string;
  workflowAppId: string;
  connectionType: string;
  name: string;
  /** Absent: derived from the name. */
  slug?: string | undefined;
  isDefault: boolean;
  isManaged: boolean;
  /** A subject that can see it from the start. */
  assignedTo?: Subject | undefined;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

export interface InsertedConnection {
  name: string;
  isDefault: boolean;
}

/** Stores it; a new default replaces the former one. A second try returns the first's row. */
export async function insertConnection(
  database: Database,
  workspaceId: string,
  connection: NewConnection,
): Promise<InsertedConnection> {
  const { id, workflowAppId, isDefault, isManaged, assignedTo } = connection;
  const assigned = assignedTo
    ? Prisma.sql`, assigned AS (
      INSERT INTO connection_assignments (connection_id, subject_type, subject_id)
      SELECT i.id, ${assignedTo.type}, ${assignedTo.id} FROM inserted i ON CONFLICT DO NOTHING
    )`
    : Prisma.empty;
  const rows = await rowsOf<InsertedConnection>(
    database,
    Prisma.sql`
    WITH present AS (
      SELECT name, is_default FROM connections WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid
    ), inserted AS (
      INSERT INTO connections (id, workspace_id, workflow_app_id, connection_type, name, slug, is_default, is_managed,
        credentials, key_id)
      SELECT ${id}::uuid, ${workspaceId}::uuid, ${workflowAppId}, ${connection.connectionType}, ${connection.name},
        ${connection.slug ?? null}, ${isDefault}, ${isManaged}, ${connection.sealed}, ${connection.keyId}
      WHERE NOT EXISTS (SELECT 1 FROM present)
      -- If another attempt inserted it first: its row, unchanged.
      ON CONFLICT (id) DO UPDATE SET id = connections.id WHERE connections.workspace_id = ${workspaceId}::uuid
      RETURNING id, name, is_default
    )${assigned}
    SELECT name, is_default AS "isDefault" FROM inserted
    UNION ALL
    SELECT name, is_default FROM present`,
  );
  const row = rows[0];
  if (!row) throw new Error(`Connection ${id} was neither stored nor there`);
  return row;
}
