import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface StepOfRetry {
  workspaceId: string;
  executionId: string;
  nodeId: string;
  iteration: string;
}

/** How often a step completed in the executions of which this one is a retry. Copies count once, where the step ran. */
export async function readCompletions(
  database: Database,
  { workspaceId, executionId, nodeId, iteration }: StepOfRetry,
): Promise<number> {
  // Raw: the chain of retries has any length.
  const [row] = await rowsOf<{ completed: number }>(
    database,
    Prisma.sql`
    WITH RECURSIVE line AS (
      SELECT e.retry_of_id AS id FROM executions e
      WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
      UNION ALL
      SELECT e.retry_of_id FROM line l JOIN executions e ON e.id = l.id AND e.workspace_id = ${workspaceId}::uuid
    )
    SELECT count(*)::int AS completed FROM line l JOIN execution_steps s
      ON s.execution_id = l.id AND s.iteration = ${iteration} AND s.node_id = ${nodeId}
    WHERE s.status = 'COMPLETED' AND s.copied_from_id IS NULL`,
  );
  return row?.completed ?? 0;
}
