import type { Database } from '../../client.ts';

/** Deletes at most `limit` changes of entities that are older than so many days, of every workspace; answers how many. */
export function deleteOldChanges(database: Database, days: number, limit: number): Promise<number> {
  // Raw: a batch that no other process has its hands on, by the place of its rows.
  return database.$executeRaw`
    DELETE FROM object_changes WHERE ctid IN (
      SELECT ctid FROM object_changes WHERE at <= now() - make_interval(days => ${days}::int)
      ORDER BY at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    )`;
}
