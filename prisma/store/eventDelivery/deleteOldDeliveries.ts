import type { Database } from '../../client.ts';

/** Ids rise with time: it reads only the first. */
export function deleteOldDeliveries(database: Database, days: number, limit: number): Promise<number> {
  return database.$executeRaw`
    DELETE FROM event_deliveries WHERE ctid IN (
      SELECT d.ctid FROM event_deliveries d
      WHERE d.id IN (SELECT f.id FROM event_deliveries f ORDER BY f.id LIMIT ${limit}::int)
        AND d.created_at <= now() - make_interval(days => ${days}::int)
      FOR UPDATE SKIP LOCKED
    )`;
}
