import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface NewAuthorization {
  stateHash: Uint8Array<ArrayBuffer>;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
  ttlMs: number;
}

/** Somebody who leaves for a provider; answers until when they may come back. */
export async function insertAuthorization(
  database: Database,
  workspaceId: string,
  { stateHash, sealed, keyId, ttlMs }: NewAuthorization,
): Promise<Date> {
  // Raw: the database's clock decides how long it lives.
  const [row] = await rowsOf<{ expiresAt: string }>(
    database,
    Prisma.sql`
    INSERT INTO connection_authorizations (state_hash, workspace_id, sealed, key_id, expires_at)
    VALUES (${stateHash}, ${workspaceId}::uuid, ${sealed}, ${keyId}, now() + make_interval(secs => ${ttlMs / 1_000}))
    RETURNING to_json(expires_at) AS "expiresAt"`,
  );
  if (!row) throw new Error('An authorization was not stored');
  return new Date(row.expiresAt);
}

export interface TakenAuthorization {
  workspaceId: string;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

/** Consumes it: undefined if it is unknown, used or expired. Whoever comes back has no credential, so by the state alone. */
export async function takeAuthorization(
  database: Database,
  stateHash: Uint8Array<ArrayBuffer>,
): Promise<TakenAuthorization | undefined> {
  // Raw: of two that return one gets it, by the database's clock.
  const [row] = await database.$queryRaw<TakenAuthorization[]>(Prisma.sql`
    DELETE FROM connection_authorizations WHERE state_hash = ${stateHash} AND expires_at > now()
    RETURNING workspace_id AS "workspaceId", sealed, key_id AS "keyId"`);
  return row;
}
