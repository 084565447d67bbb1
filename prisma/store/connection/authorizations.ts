import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface NewAuthorization {
  stateHash: Uint8Array<ArrayBuffer>;
  ticketHash: Uint8Array<ArrayBuffer>;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
  ttlMs: number;
}

export async function insertAuthorization(
  database: Database,
  workspaceId: string,
  { stateHash, ticketHash, sealed, keyId, ttlMs }: NewAuthorization,
): Promise<Date> {
  // Raw: the database's clock sets the expiry.
  const [row] = await rowsOf<{ expiresAt: string }>(
    database,
    Prisma.sql`
    INSERT INTO connection_authorizations (state_hash, workspace_id, ticket_hash, sealed, key_id, expires_at)
    VALUES (${stateHash}, ${workspaceId}::uuid, ${ticketHash}, ${sealed}, ${keyId},
      now() + make_interval(secs => ${ttlMs / 1_000}))
    RETURNING to_json(expires_at) AS "expiresAt"`,
  );
  if (!row) throw new Error('An authorization was not stored');
  return new Date(row.expiresAt);
}

export interface StoredAuthorization {
  stateHash: Uint8Array<ArrayBuffer>;
  workspaceId: string;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
  expiresAt: Date;
}

const STORED = Prisma.sql`
  state_hash AS "stateHash", workspace_id AS "workspaceId", sealed, key_id AS "keyId", expires_at AS "expiresAt"`;

export async function readTicket(
  database: Database,
  ticketHash: Uint8Array<ArrayBuffer>,
): Promise<StoredAuthorization | undefined> {
  // Raw: by the database's clock. The ticket is the credential, so the condition has no workspace.
  const [row] = await database.$queryRaw<StoredAuthorization[]>(Prisma.sql`
    SELECT ${STORED} FROM connection_authorizations
    WHERE ticket_hash = ${ticketHash} AND browser_hash IS NULL AND expires_at > now()`);
  return row;
}

/** The browser then has `ttlMs` to return. Undefined like readTicket. */
export async function spendTicket(
  database: Database,
  ticketHash: Uint8Array<ArrayBuffer>,
  { browserHash, ttlMs }: { browserHash: Uint8Array<ArrayBuffer>; ttlMs: number },
): Promise<StoredAuthorization | undefined> {
  // Raw: if two browsers spend it at once, one succeeds, by the database's clock.
  const [row] = await database.$queryRaw<StoredAuthorization[]>(Prisma.sql`
    UPDATE connection_authorizations
    SET browser_hash = ${browserHash}, expires_at = now() + make_interval(secs => ${ttlMs / 1_000})
    WHERE ticket_hash = ${ticketHash} AND browser_hash IS NULL AND expires_at > now()
    RETURNING ${STORED}`);
  return row;
}

export interface TakenAuthorization {
  workspaceId: string;
  /** Null if the ticket was never spent. */
  browserHash: Uint8Array<ArrayBuffer> | null;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

/** Undefined if unknown, used or expired. The returning browser has only the state as credential. */
export async function takeAuthorization(
  database: Database,
  stateHash: Uint8Array<ArrayBuffer>,
): Promise<TakenAuthorization | undefined> {
  // Raw: if two return at once, one gets it, by the database's clock.
  const [row] = await database.$queryRaw<TakenAuthorization[]>(Prisma.sql`
    DELETE FROM connection_authorizations WHERE state_hash = ${stateHash} AND expires_at > now()
    RETURNING workspace_id AS "workspaceId", browser_hash AS "browserHash", sealed, key_id AS "keyId"`);
  return row;
}
