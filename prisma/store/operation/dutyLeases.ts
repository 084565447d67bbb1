import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface LeasedDuty {
  name: string;
  shards: number;
}

export interface HeldShards {
  duty: string;
  shards: number[];
}

/**
 * Registers this worker for another `leaseMs`, takes free shards of its share, renews held ones, and releases the
 * others. Shares follow from the live workers that have the duty, by id, and differ by at most one shard. `takeOver`:
 * all others are gone.
 */
export function takeDutyLeases(
  database: Database,
  worker: string,
  duties: readonly LeasedDuty[],
  { leaseMs, takeOver }: { leaseMs: number; takeOver: boolean },
): Promise<HeldShards[]> {
  const names = duties.map(({ name }) => name);
  const counts = duties.map(({ shards }) => shards);
  const until = Prisma.sql`now() + make_interval(secs => ${leaseMs / 1_000}::float8)`;
  // Raw: waits for no locked row, and inserts in one order only, so workers cannot deadlock.
  return rowsOf<HeldShards>(
    database,
    Prisma.sql`
    WITH gone AS (
      DELETE FROM duty_workers WHERE id IN (
        SELECT id FROM duty_workers WHERE id <> ${worker}::uuid AND (expires_at <= now() OR ${takeOver}::boolean)
        FOR UPDATE SKIP LOCKED)
    ), here AS (
      INSERT INTO duty_workers (id, duties, expires_at) VALUES (${worker}::uuid, ${names}::text[], ${until})
      ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
    ), living AS (
      SELECT id, duties FROM duty_workers WHERE id <> ${worker}::uuid AND expires_at > now() AND NOT ${takeOver}::boolean
      UNION ALL SELECT ${worker}::uuid, ${names}::text[]
    ), placed AS (
      SELECT l.id, d.duty, row_number() OVER (PARTITION BY d.duty ORDER BY l.id) - 1 AS place,
        count(*) OVER (PARTITION BY d.duty) AS workers
      FROM living l CROSS JOIN LATERAL unnest(l.duties) d(duty)
    ), mine AS MATERIALIZED (
      SELECT d.duty, s.shard
      FROM unnest(${names}::text[], ${counts}::int[]) AS d(duty, shards)
        CROSS JOIN LATERAL generate_series(0, d.shards - 1) AS s(shard)
        JOIN placed p ON p.id = ${worker}::uuid AND p.duty = d.duty
          -- Not all duties with one shard to the worker in the first place.
          AND (s.shard + abs(hashtext(d.duty)::bigint)) % p.workers = p.place
    ), written AS MATERIALIZED (
      SELECT l.duty, l.shard, m.duty IS NOT NULL AS is_mine FROM duty_leases l LEFT JOIN mine m USING (duty, shard)
      WHERE (l.holder = ${worker}::uuid AND (m.duty IS NOT NULL OR l.expires_at > now()))
        OR (m.duty IS NOT NULL AND (l.expires_at <= now() OR ${takeOver}::boolean))
      FOR UPDATE OF l SKIP LOCKED
    ), renewed AS (
      UPDATE duty_leases l SET holder = ${worker}::uuid, expires_at = CASE WHEN w.is_mine THEN ${until} ELSE now() END
      FROM written w WHERE l.duty = w.duty AND l.shard = w.shard
      RETURNING l.duty, l.shard, w.is_mine
    ), added AS (
      INSERT INTO duty_leases (duty, shard, holder, expires_at)
      SELECT duty, shard, ${worker}::uuid, ${until} FROM mine m
      WHERE NOT EXISTS (SELECT FROM duty_leases l WHERE l.duty = m.duty AND l.shard = m.shard)
      ORDER BY duty, shard
      ON CONFLICT (duty, shard) DO NOTHING
      RETURNING duty, shard
    )
    SELECT duty, array_agg(shard ORDER BY shard) AS shards FROM (
      SELECT duty, shard FROM renewed WHERE is_mine UNION ALL SELECT duty, shard FROM added) held
    GROUP BY duty`,
  );
}

export async function releaseDutyLeases(database: Database, worker: string): Promise<void> {
  await database.$executeRaw`
    WITH gone AS (DELETE FROM duty_workers WHERE id = ${worker}::uuid)
    UPDATE duty_leases SET expires_at = now() WHERE holder = ${worker}::uuid AND expires_at > now()`;
}

export async function heldDuties(database: Database): Promise<number> {
  const [row] = await database.$queryRaw<[{ held: number }]>`
    SELECT count(DISTINCT duty)::int AS held FROM duty_leases WHERE expires_at > now()`;
  return row.held;
}
