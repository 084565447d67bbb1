import { Prisma } from '../../generated/client.ts';

/** A step by its position, which is the same in all executions of a chain of retries. */
export interface StepOfRetry {
  workspaceId: string;
  executionId: string;
  nodeId: string;
  iteration: string;
}

/** Selects the runs of a step, without copies, in the executions that this one retries; depth 1 is the nearest. */
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
