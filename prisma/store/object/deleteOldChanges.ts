import type { Database } from '../../client.ts';

/**
 * Deletes at most `limit` changes of entities that are older than so many days, of every workspace; answers how many. It looks
 * at the first ones only: ids rise as times do, but for what was under way together.
 */
export function deleteOldChanges(database: Database, days: number, limit: number): Promise<number> {
  // Raw: a batch that no other process has its hands on, by the place of its rows.
  return database.$executeRaw`
    DELETE FROM object_changes WHERE ctid IN (
      SELECT c.ctid FROM object_changes c
      WHERE c.id IN (SELECT f.id FROM object_changes f ORDER BY f.id LIMIT ${limit}::int)
        AND c.at <= now() - make_interval(days => ${days}::int)
      FOR UPDATE SKIP LOCKED
    )`;
}
