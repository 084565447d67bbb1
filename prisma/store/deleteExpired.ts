import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';

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

/** Deletes at most `limit` expired rows of all workspaces and returns their number. Safe to run in several processes. */
export function deleteExpired(
  database: Database,
  name: (typeof EXPIRING_TABLES)[number],
  limit: number,
): Promise<number> {
  const table = Prisma.raw(name);
  // Raw: a batch of rows, by ctid, that no other process has locked.
  return database.$executeRaw(Prisma.sql`
    DELETE FROM ${table} WHERE ctid IN (
      SELECT ctid FROM ${table} WHERE expires_at <= now()
      ORDER BY expires_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )`);
}
