import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

/** How an iteration of a loop has ended. */
export interface RecordedIteration {
  index: number;
  status: 'COMPLETED' | 'FAILED';
  output: Json;
  error: { code: string; message: string } | null;
}

/** Iterations of a loop (iteration.ts: loopKey) that have ended, in order, from `from` on and before `to`. */
export async function readIterations(
  database: Database,
  workspaceId: string,
  executionId: string,
  loopKey: string,
  to: number,
  from = 0,
): Promise<RecordedIteration[]> {
  return database.$queryRaw<RecordedIteration[]>`
    SELECT index, status, output, error FROM execution_iterations
    WHERE execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND loop_key = ${loopKey}
      AND index >= ${from} AND index < ${to}
    ORDER BY index`;
}
