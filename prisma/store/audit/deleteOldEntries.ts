import { v7 } from 'uuid';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

const DAY_MS = 86_400_000;

/** Deletes at most `limit` audit entries that are older than so many days, of every workspace; answers how many. */
export function deleteOldEntries(database: Database, days: number, limit: number): Promise<number> {
  const oldest = v7({ msecs: Date.now() - days * DAY_MS, seq: 0 });
  // Raw: a batch that no other process has its hands on; ids are ordered by time, so that the primary key finds it.
  return database.$executeRaw(Prisma.sql`
    DELETE FROM audit_entries WHERE id IN (
      SELECT id FROM audit_entries WHERE id < ${oldest}::uuid ORDER BY id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )`);
}
