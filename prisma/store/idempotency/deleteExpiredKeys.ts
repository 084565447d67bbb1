import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * Deletes at most `limit` keys whose time is over, of every workspace: housekeeping, not a request's.
 * Returns how many there were; safe to run in several processes at once.
 */
export function deleteExpiredIdempotencyKeys(database: Database, limit: number): Promise<number> {
  return database.$executeRaw(Prisma.sql`
    DELETE FROM idempotency_keys WHERE ctid IN (
      SELECT ctid FROM idempotency_keys WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )`);
}
