import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface SealedConnection {
  workflowAppId: string;
  /** The id of the app's connection type. */
  type: string;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

export async function findSealedConnection(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<SealedConnection | undefined> {
  const rows = await database.$queryRaw<SealedConnection[]>(Prisma.sql`
    SELECT workflow_app_id AS "workflowAppId", connection_type AS type, credentials AS sealed, key_id AS "keyId"
    FROM connections WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid`);
  return rows[0];
}
