import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { behind, OLDEST, type Swept } from '../operation/sweepPlaces.ts';

/**
 * Deletes tasks without activity for `days` days. A task that an agent's call created is deleted with its conversation,
 * which stays while one of its tasks is younger, has an open turn, or waits for an approval. Several processes may run
 * it at once.
 */
export async function deleteOldTasks(
  database: Database,
  days: number,
  limit: number,
  from = OLDEST,
): Promise<Swept & { deleted: number }> {
  const isOld = Prisma.sql`t.last_activity_at < now() - make_interval(days => ${days}::int)`;
  // Raw: a new turn locks its task or changes its last activity: then its conversation stays.
  const [row] = await database.$queryRaw<(Swept & { deleted: number })[]>`
    WITH RECURSIVE read AS MATERIALIZED (
      SELECT t.id, t.last_activity_at FROM tasks t
      WHERE t.parent_task_id IS NULL AND ${isOld} AND ${behind(Prisma.sql`t.last_activity_at`, Prisma.sql`t.id`, from)}
      ORDER BY t.last_activity_at, t.id LIMIT ${limit}::int
    ), members AS (
      SELECT r.id AS root, r.id FROM read r
      UNION ALL
      SELECT m.root, t.id FROM members m JOIN tasks t ON t.parent_task_id = m.id
    ), old AS MATERIALIZED (
      SELECT t.id FROM members m JOIN tasks t ON t.id = m.id
      WHERE ${isOld} AND NOT EXISTS (
        SELECT FROM task_runs r WHERE r.task_id = t.id AND r.status IN ('QUEUED', 'RUNNING', 'NEEDS_APPROVAL'))
      FOR UPDATE OF t SKIP LOCKED
    ), gone AS (
      DELETE FROM tasks WHERE id = ANY (ARRAY(
        SELECT m.root FROM members m LEFT JOIN old ON old.id = m.id GROUP BY m.root HAVING count(*) = count(old.id)))
      RETURNING id
    )
    SELECT (SELECT count(*)::int FROM gone) AS deleted,
      (SELECT json_build_object('at', r.last_activity_at::text, 'id', r.id) FROM read r
        ORDER BY r.last_activity_at DESC, r.id DESC LIMIT 1) AS reached,
      (SELECT count(*) FROM read) = ${limit}::int AS "hasMore"`;
  return row ?? { deleted: 0, reached: null, hasMore: false };
}
