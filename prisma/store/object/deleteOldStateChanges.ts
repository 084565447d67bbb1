import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { behind, OLDEST, type Swept } from '../operation/sweepPlaces.ts';

/** Keeps the newest one of each entity that is not deleted. Several processes may run it at once. */
export async function deleteOldStateChanges(
  database: Database,
  days: number,
  limit: number,
  from = OLDEST,
): Promise<Swept & { deleted: number }> {
  // Raw: the share lock covers a restored entity. coalesce: with IS NOT NULL, Postgres may choose a worse index.
  const [row] = await database.$queryRaw<(Swept & { deleted: number })[]>`
    WITH read AS MATERIALIZED (
      SELECT c.id, c.changed_at, c.object_id, c.revision FROM object_state_changes c
      WHERE c.changed_at < now() - make_interval(days => ${days}::int)
        AND ${behind(Prisma.sql`c.changed_at`, Prisma.sql`c.id`, from)}
      ORDER BY c.changed_at, c.id LIMIT ${limit}::int
    ), gone AS (
      DELETE FROM object_state_changes c USING read r
      WHERE c.object_id = r.object_id AND c.revision = r.revision AND (
        EXISTS (SELECT FROM object_state_changes n WHERE n.object_id = r.object_id AND n.revision > r.revision)
        OR EXISTS (
          SELECT FROM objects o WHERE o.id = r.object_id AND coalesce(o.deleted_at, 'infinity') < 'infinity'
          FOR SHARE SKIP LOCKED))
      RETURNING c.id
    )
    SELECT (SELECT count(*)::int FROM gone) AS deleted,
      (SELECT json_build_object('at', r.changed_at::text, 'id', r.id) FROM read r
        ORDER BY r.changed_at DESC, r.id DESC LIMIT 1) AS reached,
      (SELECT count(*) FROM read) = ${limit}::int AS "hasMore"`;
  return row ?? { deleted: 0, reached: null, hasMore: false };
}
