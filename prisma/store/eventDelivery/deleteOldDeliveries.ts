import type { Database } from '../../client.ts';

/**
 * Deletes at most `limit` deliveries of events older than so many days, of every workspace, delivered or not; returns their
 * number. Ids rise with time: it reads only the first ones.
 */
export function deleteOldDeliveries(database: Database, days: number, limit: number): Promise<number> {
  // Raw: a batch that no other process has its hands on, by the place of its rows.
  return database.$executeRaw`
    DELETE FROM event_deliveries WHERE ctid IN (
      SELECT d.ctid FROM event_deliveries d
      WHERE d.id IN (SELECT f.id FROM event_deliveries f ORDER BY f.id LIMIT ${limit}::int)
        AND d.created_at <= now() - make_interval(days => ${days}::int)
      FOR UPDATE SKIP LOCKED
    )`;
}
