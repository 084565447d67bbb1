import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { StoredAnswer } from './claimKey.ts';

interface Claimed {
  operation: string;
  key: string;
  resourceId: string;
}

/** A later answer, from a claim that was taken over, changes nothing. */
export async function storeAnswer(
  database: Database,
  workspaceId: string,
  { operation, key, resourceId }: Claimed,
  status: number,
  { sealed, ...answer }: StoredAnswer,
): Promise<void> {
  await database.idempotencyKey.updateMany({
    where: { workspaceId, operation, key, resourceId, status: null },
    data: { status, answer, sealedBody: sealed?.sealed ?? null, keyId: sealed?.keyId ?? null },
  });
}

export async function renewKey(
  database: Database,
  workspaceId: string,
  { operation, key, resourceId }: Claimed,
  lockMs: number,
): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    UPDATE idempotency_keys SET locked_until = now() + ${lockMs}::float8 * interval '1 millisecond'
    WHERE workspace_id = ${workspaceId}::uuid AND operation = ${operation} AND key = ${key}
      AND resource_id = ${resourceId}::uuid AND status IS NULL`);
}

/** Lets the next try of the same request start immediately, with the same resource id. */
export async function releaseKey(
  database: Database,
  workspaceId: string,
  { operation, key, resourceId }: Claimed,
): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    UPDATE idempotency_keys SET locked_until = now()
    WHERE workspace_id = ${workspaceId}::uuid AND operation = ${operation} AND key = ${key}
      AND resource_id = ${resourceId}::uuid AND status IS NULL`);
}
