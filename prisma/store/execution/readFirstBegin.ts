import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { StepOfRetry } from './readCompletions.ts';

/**
 * When a step first began in the executions of which this one is a retry, since it completed there last. Epoch
 * milliseconds; undefined where it has not begun since.
 */
export async function readFirstBegin(
  database: Database,
  { workspaceId, executionId, nodeId, iteration }: StepOfRetry,
): Promise<number | undefined> {
  // Raw: the chain of retries has any length.
  const [row] = await rowsOf<{ begun: number | null }>(
    database,
    Prisma.sql`
    WITH RECURSIVE line AS (
      SELECT e.retry_of_id AS id, 1 AS depth FROM executions e
      WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
      UNION ALL
      SELECT e.retry_of_id, l.depth + 1 FROM line l
      JOIN executions e ON e.id = l.id AND e.workspace_id = ${workspaceId}::uuid
    ), runs AS (
      SELECT l.depth, s.status, s.started_at FROM line l JOIN execution_steps s
        ON s.execution_id = l.id AND s.iteration = ${iteration} AND s.node_id = ${nodeId}
      WHERE s.copied_from_id IS NULL
    )
    SELECT floor(extract(epoch FROM min(r.started_at)) * 1000)::float8 AS begun FROM runs r
    WHERE NOT EXISTS (SELECT FROM runs c WHERE c.status = 'COMPLETED' AND c.depth <= r.depth)`,
  );
  return row?.begun ?? undefined;
}
