import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { behind, OLDEST, type SweepPlace, type Swept } from '../operation/sweepPlaces.ts';
import { ENDED } from './endedStatus.ts';

export interface Deleted {
  executions: number;
  steps: number;
  iterations: number;
}

const MAX_READ = 1_000;

/**
 * Deletes executions of all workspaces that ended `days` days ago, within the limits `most`. Keeps an execution while
 * its parent, a child or its error workflow is open, while a webhook drops duplicates of its delivery, while a retry
 * has copies of its steps, and while its tree has another execution (whose secrets it finds). Reads only after the
 * place `from`. Several processes may run it at once.
 */
export async function deleteOldExecutions(
  database: Database,
  days: number,
  most: Deleted,
  from = OLDEST,
): Promise<Deleted & Swept> {
  const read = oldest(days, from);
  const [row] = await database.$queryRaw<(Deleted & Swept)[]>`
    WITH old AS (
      SELECT e.id, w.stopped_at FROM (${read}) w JOIN executions e ON e.id = w.id
      WHERE e.status IN ${ENDED}
        AND NOT EXISTS (
          SELECT FROM executions p
          WHERE p.id = e.parent_execution_id AND p.status NOT IN ${ENDED})
        AND NOT EXISTS (
          SELECT FROM executions c
          WHERE c.parent_execution_id = e.id AND c.status NOT IN ${ENDED})
        AND NOT EXISTS (SELECT FROM executions r WHERE r.retry_of_id = e.id)
        AND NOT EXISTS (SELECT FROM executions r WHERE r.root_id = e.id)
        AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.execution_id = e.id AND d.expires_at > now())
        AND NOT EXISTS (
          SELECT FROM failure_handlings f LEFT JOIN executions h ON h.id = f.handler_execution_id
          WHERE f.execution_id = e.id AND (
            f.status = 'PENDING' OR h.status NOT IN ${ENDED}))
      ORDER BY w.stopped_at, w.id LIMIT ${most.executions}::int FOR UPDATE OF e SKIP LOCKED
    ), doomed AS MATERIALIZED (
      SELECT s.ctid AS place FROM old JOIN execution_steps s ON s.execution_id = old.id LIMIT ${most.steps}::int
    ), steps AS (
      DELETE FROM execution_steps WHERE ctid IN (SELECT place FROM doomed)
    ), ended AS MATERIALIZED (
      SELECT i.ctid AS place FROM old JOIN execution_iterations i ON i.execution_id = old.id
      LIMIT ${most.iterations}::int
    ), iterations AS (
      DELETE FROM execution_iterations WHERE ctid IN (SELECT place FROM ended)
    ), empty AS MATERIALIZED (
      -- Fewer than asked for: those are all.
      SELECT old.id, old.stopped_at FROM old
      WHERE (SELECT count(*) FROM doomed) < ${most.steps}::int
        AND (SELECT count(*) FROM ended) < ${most.iterations}::int
    ), questions AS (
      DELETE FROM pending_inputs p USING empty WHERE p.execution_id = empty.id
    ), gone AS (
      DELETE FROM executions e USING empty WHERE e.id = empty.id RETURNING e.id
    ), counts AS (
      SELECT (SELECT count(*)::int FROM old) AS picked, (SELECT count(*)::int FROM gone) AS executions,
        (SELECT count(*)::int FROM doomed) AS steps, (SELECT count(*)::int FROM ended) AS iterations
    ), last AS (
      SELECT w.stopped_at, w.id, count(*) OVER () AS read FROM (${read}) w ORDER BY w.stopped_at DESC, w.id DESC LIMIT 1
    )
    SELECT c.executions, c.steps, c.iterations,
      -- If executions remain for the next call, it reads from the same place.
      CASE WHEN c.picked > c.executions THEN NULL
        WHEN c.picked = ${most.executions}::int THEN (
          SELECT json_build_object('at', e.stopped_at::text, 'id', e.id) FROM empty e ORDER BY e.stopped_at DESC, e.id DESC LIMIT 1)
        ELSE (SELECT json_build_object('at', l.stopped_at::text, 'id', l.id) FROM last l) END AS reached,
      c.picked > c.executions OR c.picked = ${most.executions}::int
        OR coalesce((SELECT l.read FROM last l), 0) = ${MAX_READ}::int AS "hasMore"
    FROM counts c`;
  return row ?? { executions: 0, steps: 0, iterations: 0, reached: null, hasMore: false };
}

/** Reads the oldest from the index alone. The subquery keeps its order, so Postgres stops at the outer limit. */
function oldest(days: number, from: SweepPlace): Prisma.Sql {
  return Prisma.sql`SELECT o.id, o.stopped_at FROM executions o
    WHERE ${behind(Prisma.sql`o.stopped_at`, Prisma.sql`o.id`, from)} AND o.stopped_at < now() - make_interval(days => ${days}::int)
    ORDER BY o.stopped_at, o.id LIMIT ${MAX_READ}::int`;
}
