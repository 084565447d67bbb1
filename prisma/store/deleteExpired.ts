import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';

/** Tables whose rows have a time, `expires_at`, after which they are of no use. */
export const EXPIRING_TABLES = [
  'idempotency_keys',
  'webhook_deliveries',
  'node_tests',
  'pending_logins',
  'login_tokens',
  'sso_logins',
  'connection_authorizations',
  'outgoing_mails',
] as const;

/**
 * Deletes at most `limit` rows whose time is over, of every workspace: housekeeping, not a request's.
 * Returns how many there were; safe to run in several processes at once.
 */
export function deleteExpired(
  database: Database,
  name: (typeof EXPIRING_TABLES)[number],
  limit: number,
): Promise<number> {
  const table = Prisma.raw(name);
  // Raw: a batch that no other process has its hands on, by the place of its rows.
  return database.$executeRaw(Prisma.sql`
    DELETE FROM ${table} WHERE ctid IN (
      SELECT ctid FROM ${table} WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )`);
}
