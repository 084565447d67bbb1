import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface ConnectionChange {
  name?: string | undefined;
  isDefault?: boolean | undefined;
  isManaged?: boolean | undefined;
  /** New credentials, and whether they can be used. */
  credentials?: { sealed: Uint8Array<ArrayBuffer>; keyId: string; status: 'connected' | 'needsReconnect' } | undefined;
}

/**
 * Sets what is given; a new default takes that from the former one. Undefined where the workspace has no such connection,
 * otherwise its status before.
 */
export async function updateConnection(
  database: Database,
  workspaceId: string,
  id: string,
  { name = '', isDefault, isManaged, credentials }: ConnectionChange,
): Promise<{ statusBefore: 'connected' | 'needsReconnect' } | undefined> {
  const set = [
    ...(name === '' ? [] : [Prisma.sql`name = ${name}`]),
    ...(isDefault === undefined ? [] : [Prisma.sql`is_default = ${isDefault}`]),
    ...(isManaged === undefined ? [] : [Prisma.sql`is_managed = ${isManaged}`]),
    ...(credentials === undefined
      ? []
      : [
          Prisma.sql`credentials = ${credentials.sealed}, key_id = ${credentials.keyId}, status = ${credentials.status},
            version = c.version + 1, refresher = NULL, refresh_until = NULL`,
        ]),
    Prisma.sql`updated_at = now()`,
  ];
  // Whoever is to be the default waits for its turn before it holds a row that the one before it may want.
  const turn = isDefault ? Prisma.sql`, default_connection_turn(${workspaceId}::uuid)` : Prisma.empty;
  const rows = await rowsOf<{ statusBefore: 'connected' | 'needsReconnect' }>(
    database,
    Prisma.sql`
    WITH present AS (
      SELECT c.id, c.status FROM connections c${turn}
      WHERE c.id = ${id}::uuid AND c.workspace_id = ${workspaceId}::uuid FOR UPDATE OF c
    )
    UPDATE connections c SET ${Prisma.join(set)} FROM present p WHERE c.id = p.id
    RETURNING p.status AS "statusBefore"`,
  );
  return rows[0];
}
