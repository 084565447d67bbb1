import type { KeepRule } from '../../../domain/execution/keptWork.ts';
import type { Database } from '../../client.ts';

/** Returns the top-level loops with ended iterations that a retry runs again by these rules. */
export async function readReopenedLoops(
  database: Database,
  workspaceId: string,
  executionId: string,
  rules: readonly KeepRule[],
  failedItems: boolean,
): Promise<Set<string>> {
  const again = rules.flatMap(({ id, keep, otherOutput }) => (keep && !otherOutput ? [] : [id]));
  const reshaped = rules.flatMap(({ id, reshaped }) => (reshaped ? [id] : []));
  const rows = await database.$queryRaw<{ nodeId: string }[]>`
    SELECT s.node_id AS "nodeId" FROM execution_steps s
    WHERE s.execution_id = ${executionId}::uuid AND s.workspace_id = ${workspaceId}::uuid AND s.iteration = ''
      AND s.type IN ('forEach', 'repeat') AND reopens_loop(coalesce(s.iterations_in, s.execution_id), s.node_id,
        s.status = 'COMPLETED', ${again}::text[], ${reshaped}::text[], ${failedItems}::boolean)`;
  return new Set(rows.map(({ nodeId }) => nodeId));
}
