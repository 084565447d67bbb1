import type { StepStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';

export interface StepToReuse {
  /** The execution that has the rows: an earlier one for an iteration of a loop that was reused as a whole. */
  executionId: string;
  /** The execution in which it actually ran. */
  ranIn: string;
  nodeId: string;
  iteration: string;
  status: StepStatus;
}

/** Includes steps in loops that were reused as a whole. */
export async function readStepsToReuse(
  database: Database,
  workspaceId: string,
  executionId: string,
  nodeIds: readonly string[],
  limit: number,
): Promise<StepToReuse[]> {
  return database.$queryRaw<StepToReuse[]>`
    WITH homes AS (
      SELECT ${executionId}::uuid AS id, NULL::text AS loop_id
      UNION ALL
      SELECT s.iterations_in, s.node_id FROM execution_steps s
      WHERE s.execution_id = ${executionId}::uuid AND s.workspace_id = ${workspaceId}::uuid AND s.iteration = ''
        AND s.iterations_in IS NOT NULL
    )
    SELECT s.execution_id AS "executionId", coalesce(s.reused_from_id, s.execution_id) AS "ranIn",
      s.node_id AS "nodeId", s.iteration, s.status
    FROM homes h JOIN execution_steps s ON s.execution_id = h.id AND s.workspace_id = ${workspaceId}::uuid
      AND (h.loop_id IS NULL OR (s.iteration ~>=~ (h.loop_id || ':') AND s.iteration ~<~ (h.loop_id || ';')))
    WHERE s.node_id = ANY (${[...nodeIds]}::text[])
    ORDER BY s.position LIMIT ${limit}::int`;
}

/** Returns those executions in which, or in whose children or earlier runs, a person answered a question. */
export async function readAnsweredExecutions(
  database: Database,
  workspaceId: string,
  executionIds: readonly string[],
): Promise<Set<string>> {
  const rows = await database.$queryRaw<{ id: string }[]>`
    WITH RECURSIVE tree AS (
      SELECT e.id AS top, e.id FROM executions e
      WHERE e.id = ANY (${[...executionIds]}::uuid[]) AND e.workspace_id = ${workspaceId}::uuid
      UNION
      SELECT t.top, e.id FROM tree t JOIN executions e ON e.workspace_id = ${workspaceId}::uuid
        AND (e.parent_execution_id = t.id OR e.id = (SELECT r.retry_of_id FROM executions r WHERE r.id = t.id))
    )
    SELECT DISTINCT t.top AS id FROM tree t JOIN execution_steps s ON s.execution_id = t.id
    WHERE s.type = 'input' AND s.status = 'COMPLETED'`;
  return new Set(rows.map(({ id }) => id));
}
