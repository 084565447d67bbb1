import type { Database } from '../../client.ts';

export interface EarlierRun {
  executionId: string;
  completed: boolean;
}

/** The executions of which this one is a retry in which the step ran, the nearest first. */
export function readEarlierRuns(
  database: Database,
  {
    workspaceId,
    executionId,
    nodeId,
    iteration,
  }: Record<'workspaceId' | 'executionId' | 'nodeId' | 'iteration', string>,
): Promise<EarlierRun[]> {
  // Raw: the chain of retries has any length.
  return database.$queryRaw<EarlierRun[]>`
    WITH RECURSIVE line AS (
      SELECT e.retry_of_id AS id, 1 AS depth FROM executions e
      WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
      UNION ALL
      SELECT e.retry_of_id, l.depth + 1 FROM line l
      JOIN executions e ON e.id = l.id AND e.workspace_id = ${workspaceId}::uuid
    )
    SELECT l.id AS "executionId", s.status = 'COMPLETED' AS completed
    FROM line l JOIN execution_steps s ON s.execution_id = l.id AND s.iteration = ${iteration} AND s.node_id = ${nodeId}
    WHERE s.copied_from_id IS NULL ORDER BY l.depth`;
}
