import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** The credentials of a connection as they were read: a write that names an older version changes nothing. */
export interface ReadVersion {
  id: string;
  version: number;
}

/**
 * Takes the lease to refresh the tokens if it is free or expired; undefined if another process has it or the tokens have changed.
 * `wasCutOff`: the previous holder did not report its result.
 */
export async function claimRefresh(
  database: Database,
  workspaceId: string,
  { id, version }: ReadVersion,
  { refresher, leaseMs }: { refresher: string; leaseMs: number },
): Promise<{ wasCutOff: boolean } | undefined> {
  // Raw: one holder by the database's clock, and the state before.
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

/**
 * Replaces the tokens of that version; false if they have changed. If another process tried the old ones after the lease had
 * expired and was rejected, the connection does not need a new authorization. `updatedAt` stays, because no user changed it.
 */
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

/** Gives the right back: nothing has come of it, and another try may begin at once. */
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

/** Somebody must authorize it again, unless somebody has meanwhile. */
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
