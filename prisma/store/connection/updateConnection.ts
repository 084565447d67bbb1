import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { oneByOne } from './insertConnection.ts';

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
  // Raw: the default moves, and the row changes, in one statement.
  const rows = await oneByOne(() =>
    database.$queryRaw<{ statusBefore: 'connected' | 'needsReconnect' }[]>(Prisma.sql`
    WITH present AS (
      SELECT id, workflow_app_id, status FROM connections
      WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid FOR UPDATE
    ), former AS (
      UPDATE connections f SET is_default = false, updated_at = now() FROM present p
      WHERE f.workspace_id = ${workspaceId}::uuid AND f.workflow_app_id = p.workflow_app_id AND f.is_default
        AND f.id <> p.id AND ${isDefault ?? false}
      RETURNING f.id
    )
    UPDATE connections c SET ${Prisma.join(set)}
    -- Counting makes Postgres finish the update before it: there is never a moment with two defaults.
    FROM present p, (SELECT count(*) FROM former) AS moved
    WHERE c.id = p.id
    RETURNING p.status AS "statusBefore"`),
  );
  return rows[0];
}
