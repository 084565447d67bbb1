import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';

/** How far a loop outside other loops is. */
export interface LoopProgress {
  nodeId: string;
  completed: number;
  failed: number;
  /** Null where it is not known. */
  total: number | null;
}

/** What changes of an execution while its loops run: little to read, however many iterations there are. */
export interface Loops {
  revision: number;
  status: ExecutionStatus;
  loops: LoopProgress[];
  /** Another when anything outside loops is: steps, questions, the execution's own status. */
  outside: string;
}

/** Undefined when the workspace has no such execution. */
export async function readLoops(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<Loops | undefined> {
  // Raw: loops are read as sums and a digest: little, however many steps there are.
  const [row] = await database.$queryRaw<Loops[]>`
    SELECT t.revision, t.status, top.loops,
      md5(concat_ws(' ', t.status, t.status_message, top.steps, (
        SELECT string_agg(p.id::text, ' ' ORDER BY p.id) FROM pending_inputs p
        WHERE p.execution_id = t.id AND p.status = 'OPEN'))) AS outside
    FROM executions t CROSS JOIN LATERAL (
      SELECT string_agg(concat_ws(' ', s.id, s.status, s.attempt), ' ' ORDER BY s.id) AS steps,
        coalesce(json_agg(json_build_object('nodeId', s.node_id, 'completed', s.iterations_completed,
          'failed', coalesce(s.iterations_failed, 0), 'total', s.iterations_total) ORDER BY s.position)
          FILTER (WHERE s.iterations_completed IS NOT NULL), '[]') AS loops
      FROM execution_steps s WHERE s.execution_id = t.id AND s.iteration = ''
    ) top
    WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  return row;
}
