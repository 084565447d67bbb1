import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** The version of the credentials that were read: a write with an older version changes nothing. */
export interface ReadVersion {
  id: string;
  version: number;
}

/** Undefined if another process has the lease or the tokens have changed. `wasCutOff`: its holder did not report. */
export async function claimRefresh(
  database: Database,
  workspaceId: string,
  { id, version }: ReadVersion,
  { refresher, leaseMs }: { refresher: string; leaseMs: number },
): Promise<{ wasCutOff: boolean } | undefined> {
  const [row] = await rowsOf<{ wasCutOff: boolean }>(
    database,
    Prisma.sql`
    UPDATE connections c SET refresher = ${refresher}::uuid,
      refresh_until = now() + make_interval(secs => ${leaseMs / 1_000})
    FROM (SELECT id, refresh_until FROM connections
      WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid FOR UPDATE) before
    WHERE c.id = before.id AND c.version = ${version}::int AND c.status = 'connected'
      AND (before.refresh_until IS NULL OR before.refresh_until <= now())
    RETURNING before.refresh_until IS NOT NULL AS "wasCutOff"`,
  );
  return row;
}

/** False if the tokens have changed. Resets `needsReconnect`. `updatedAt` stays, because no user changed it. */
export async function storeTokens(
  database: Database,
  workspaceId: string,
  { id, version }: ReadVersion,
  { sealed, keyId }: { sealed: Uint8Array<ArrayBuffer>; keyId: string },
): Promise<boolean> {
  const { count } = await database.connection.updateMany({
    where: { id, workspaceId, version },
    data: {
      credentials: sealed,
      keyId,
      version: version + 1,
      status: 'connected',
      refresher: null,
      refreshUntil: null,
    },
  });
  return count > 0;
}

/** Lets another try begin at once. */
export async function releaseRefresh(
  database: Database,
  workspaceId: string,
  id: string,
  refresher: string,
): Promise<void> {
  await database.connection.updateMany({
    where: { id, workspaceId, refresher },
    data: { refresher: null, refreshUntil: null },
  });
}

/** Changes nothing if the connection was authorized again meanwhile. */
export async function markNeedsReconnect(
  database: Database,
  workspaceId: string,
  { id, version }: ReadVersion,
): Promise<void> {
  await database.connection.updateMany({
    where: { id, workspaceId, version },
    data: { status: 'needsReconnect', refresher: null, refreshUntil: null },
  });
}
