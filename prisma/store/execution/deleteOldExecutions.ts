import type { Database } from '../../client.ts';
import { ENDED } from './endedStatus.ts';

export interface Deleted {
  executions: number;
  steps: number;
  /** Outputs of loops' iterations. */
  iterations: number;
}

/**
 * Deletes executions of any workspace that ended `days` days ago or earlier, with their steps, iterations and questions:
 * at most `most.executions`, and at most `most.steps` and `most.iterations` of theirs, in which case the executions go
 * with a later call. One stays while its parent, a child or the error workflow of its failure is open, while a webhook
 * drops duplicates of its delivery, while there is a retry of it, which holds copies of its steps, and while there is
 * another of its tree, which knows by it what nobody may read. Safe to run in several processes at once.
 */
export async function deleteOldExecutions(database: Database, days: number, most: Deleted): Promise<Deleted> {
  // Raw: it picks, counts and deletes over several tables, beside others that do the same.
  const [row] = await database.$queryRaw<Deleted[]>`
    WITH old AS (
      SELECT e.id FROM executions e
      WHERE e.stopped_at < now() - make_interval(days => ${days}::int)
        AND e.status IN ${ENDED}
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
      ORDER BY e.stopped_at LIMIT ${most.executions}::int FOR UPDATE OF e SKIP LOCKED
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
      SELECT old.id FROM old
      WHERE (SELECT count(*) FROM doomed) < ${most.steps}::int
        AND (SELECT count(*) FROM ended) < ${most.iterations}::int
    ), questions AS (
      DELETE FROM pending_inputs p USING empty WHERE p.execution_id = empty.id
    ), gone AS (
      DELETE FROM executions e USING empty WHERE e.id = empty.id RETURNING e.id
    )
    SELECT (SELECT count(*)::int FROM gone) AS executions, (SELECT count(*)::int FROM doomed) AS steps,
      (SELECT count(*)::int FROM ended) AS iterations`;
  return row ?? { executions: 0, steps: 0, iterations: 0 };
}
