import { Prisma } from '../../generated/client.ts';

/** A step, named as it is in each of its lineage. */
export interface StepOfRetry {
  workspaceId: string;
  executionId: string;
  nodeId: string;
  iteration: string;
}

/**
 * `WITH RECURSIVE … runs`: the runs of a step in the executions of which this one is a retry; `execution_id, depth` (1: the
 * nearest), `status, started_at`. Copies are no runs. The chain of retries has any length.
 */
export function runsBefore({ workspaceId, executionId, nodeId, iteration }: StepOfRetry): Prisma.Sql {
  return Prisma.sql`WITH RECURSIVE line AS (
      SELECT e.retry_of_id AS id, 1 AS depth FROM executions e
      WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
      UNION ALL
      SELECT e.retry_of_id, l.depth + 1 FROM line l
      JOIN executions e ON e.id = l.id AND e.workspace_id = ${workspaceId}::uuid
    ), runs AS (
      SELECT l.id AS execution_id, l.depth, s.status, s.started_at FROM line l JOIN execution_steps s
        ON s.execution_id = l.id AND s.iteration = ${iteration} AND s.node_id = ${nodeId}
      WHERE s.copied_from_id IS NULL
    )`;
}
