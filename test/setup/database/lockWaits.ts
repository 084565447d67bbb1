import type { Database } from '../../../prisma/client.ts';

export async function lockWaits(database: Database): Promise<number> {
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  );
  return rows[0].n;
}
