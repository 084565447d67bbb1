import type { Database } from '../../client.ts';

export interface CallingAgent {
  id: string;
  name: string;
}

/** A longer chain is cut off; calls are refused as too deep long before. */
const MAX_LINE_LENGTH = 1_000;

/** Includes all turns above a turn or step, bottom up. Turns and executions call each other. */
export function callingAgents(
  database: Database,
  workspaceId: string,
  { runId = null, executionId = null }: { runId?: string | null; executionId?: string | null },
): Promise<CallingAgent[]> {
  return database.$queryRaw<CallingAgent[]>`
    WITH RECURSIVE line AS (
      SELECT ${runId}::uuid AS run_id, ${executionId}::uuid AS execution_id, 0 AS depth
      UNION ALL
      SELECT up.run_id, up.execution_id, l.depth + 1 FROM line l CROSS JOIN LATERAL (
        SELECT r.parent_run_id AS run_id, r.parent_execution_id AS execution_id FROM task_runs r WHERE r.id = l.run_id
        UNION ALL SELECT c.run_id, NULL FROM run_tool_calls c WHERE c.execution_id = l.execution_id
        UNION ALL SELECT NULL, e.parent_execution_id FROM executions e WHERE e.id = l.execution_id
      ) up
      WHERE (up.run_id IS NOT NULL OR up.execution_id IS NOT NULL) AND l.depth < ${MAX_LINE_LENGTH}::int
    )
    SELECT a.id::text AS id, a.name FROM line l
    JOIN task_runs r ON r.id = l.run_id AND r.workspace_id = ${workspaceId}::uuid
    JOIN tasks t ON t.id = r.task_id JOIN agents a ON a.id = t.agent_id
    ORDER BY l.depth`;
}
