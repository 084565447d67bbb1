import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { makersAssignment, maySeeConnection } from './mayUseConnection.ts';

export interface ConnectionChange {
  name?: string | undefined;
  isDefault?: boolean | undefined;
  isManaged?: boolean | undefined;
  credentials?: { sealed: Uint8Array<ArrayBuffer>; keyId: string; status: 'connected' | 'needsReconnect' } | undefined;
}

/** A connection that becomes managed is assigned to the caller. Undefined if the caller sees no such connection. */
export async function updateConnection(
  database: Database,
  viewer: Viewer,
  id: string,
  { name = '', isDefault, isManaged, credentials }: ConnectionChange,
): Promise<{ statusBefore: 'connected' | 'needsReconnect' } | undefined> {
  const { workspaceId } = viewer;
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
  // A new default takes its turn before it locks a row that the previous one may need.
  const turn = isDefault ? Prisma.sql`, default_connection_turn(${workspaceId}::uuid)` : Prisma.empty;
  const maker = isManaged ? makersAssignment(viewer) : undefined;
  const assigned = maker
    ? Prisma.sql`, assigned AS (
      INSERT INTO connection_assignments (connection_id, subject_type, subject_id)
      SELECT p.id, ${maker.type}, ${maker.id} FROM present p WHERE NOT p.is_managed ON CONFLICT DO NOTHING
    )`
    : Prisma.empty;
  const rows = await rowsOf<{ statusBefore: 'connected' | 'needsReconnect' }>(
    database,
    Prisma.sql`
    WITH present AS (
      SELECT c.id, c.status, c.is_managed FROM connections c${turn}
      WHERE c.id = ${id}::uuid AND c.workspace_id = ${workspaceId}::uuid
        AND ${maySeeConnection(viewer, Prisma.sql`c`)} FOR UPDATE OF c
    )${assigned}
    UPDATE connections c SET ${Prisma.join(set)} FROM present p WHERE c.id = p.id
    RETURNING p.status AS "statusBefore"`,
  );
  return rows[0];
}
