import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * Deletes at most `limit` deliveries whose time is over, of every workspace: housekeeping, not a request's.
 * Returns how many there were; safe to run in several processes at once.
 */
export function deleteExpiredDeliveries(database: Database, limit: number): Promise<number> {
  return database.$executeRaw(Prisma.sql`
    DELETE FROM webhook_deliveries WHERE ctid IN (
      SELECT ctid FROM webhook_deliveries WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )`);
}
