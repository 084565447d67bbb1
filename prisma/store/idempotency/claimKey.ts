import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface StoredAnswer {
  headers: Record<string, string>;
  /** Text, or base64 of bytes; null if there is none or it is sealed. */
  body: string | null;
  isBase64: boolean;
  sealed?: { sealed: Uint8Array<ArrayBuffer>; keyId: string };
}

export type KeyClaim =
  /** This request is the first, or takes over from a dead or failed one with the same resource id. */
  | { kind: 'claimed'; resourceId: string }
  | { kind: 'answered'; status: number; answer: StoredAnswer }
  | { kind: 'otherRequest' }
  /** The first request is still running, for at most this many more seconds. */
  | { kind: 'running'; remainingSeconds: number };

export interface ClaimRequest {
  operation: string;
  key: string;
  /** SHA-256 of the request. */
  fingerprint: Buffer;
  resourceId: string;
  /** How long the claim lasts without a response or a renewal. */
  lockMs: number;
  keepMs: number;
}

interface Row {
  claimed: boolean;
  resource_id: string;
  status: number | null;
  answer: Omit<StoredAnswer, 'sealed'> | null;
  sealed_body: Uint8Array<ArrayBuffer> | null;
  key_id: string | null;
  is_same: boolean;
  remaining_seconds: number;
}

export async function claimKey(database: Database, workspaceId: string, request: ClaimRequest): Promise<KeyClaim> {
  // Returns no row if another request inserted the key after this statement's snapshot: the second try sees it.
  for (;;) {
    const [row] = await database.$queryRaw<Row[]>(claimStatement(workspaceId, request));
    if (row) return claimOf(row);
  }
}

function claimStatement(workspaceId: string, request: ClaimRequest): Prisma.Sql {
  const { operation, key, fingerprint, resourceId, lockMs, keepMs } = request;
  return Prisma.sql`
    WITH claimed AS (
      INSERT INTO idempotency_keys AS k
        (workspace_id, operation, key, fingerprint, resource_id, locked_until, expires_at)
      VALUES (${workspaceId}::uuid, ${operation}, ${key}, ${fingerprint}, ${resourceId}::uuid,
        now() + ${lockMs}::float8 * interval '1 millisecond', now() + ${keepMs}::float8 * interval '1 millisecond')
      ON CONFLICT (workspace_id, operation, key) DO UPDATE SET
        fingerprint = excluded.fingerprint,
        resource_id = CASE WHEN k.expires_at <= now() THEN excluded.resource_id ELSE k.resource_id END,
        status = NULL,
        answer = NULL,
        sealed_body = NULL,
        key_id = NULL,
        created_at = CASE WHEN k.expires_at <= now() THEN now() ELSE k.created_at END,
        locked_until = excluded.locked_until,
        expires_at = CASE WHEN k.expires_at <= now() THEN excluded.expires_at ELSE k.expires_at END
      WHERE k.expires_at <= now()
        OR (k.status IS NULL AND k.locked_until <= now() AND k.fingerprint = excluded.fingerprint)
      RETURNING k.resource_id
    )
    SELECT true AS claimed, resource_id::text, NULL::int AS status, NULL::jsonb AS answer,
      NULL::bytea AS sealed_body, NULL::text AS key_id, true AS is_same, 0::float8 AS remaining_seconds
    FROM claimed
    UNION ALL
    SELECT false, resource_id::text, status, answer, sealed_body, key_id, fingerprint = ${fingerprint},
      extract(epoch FROM locked_until - now())::float8
    FROM idempotency_keys
    WHERE workspace_id = ${workspaceId}::uuid AND operation = ${operation} AND key = ${key}
      AND NOT EXISTS (SELECT FROM claimed)`;
}

function claimOf(row: Row): KeyClaim {
  if (row.claimed) return { kind: 'claimed', resourceId: row.resource_id };
  if (!row.is_same) return { kind: 'otherRequest' };
  const { status, answer, sealed_body: sealed, key_id: keyId } = row;
  if (status !== null && answer !== null) {
    return { kind: 'answered', status, answer: sealed && keyId ? { ...answer, sealed: { sealed, keyId } } : answer };
  }
  return { kind: 'running', remainingSeconds: Math.max(1, Math.ceil(row.remaining_seconds)) };
}
