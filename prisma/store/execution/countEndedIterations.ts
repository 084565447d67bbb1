import type { Database } from '../../client.ts';

/** The ended iterations of loops at the top of an execution, and of all loops inside them: `most` + 1 at most are counted. */
export async function countEndedIterations(
  database: Database,
  workspaceId: string,
  executionId: string,
  { nodeIds, most }: { nodeIds: readonly string[]; most: number },
): Promise<number> {
  if (nodeIds.length === 0) return 0;
  // Raw: a kept loop has its iterations in the execution before, and those of loops inside have keys that begin with its own.
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM execution_steps s JOIN execution_iterations i
        ON i.execution_id = COALESCE(s.iterations_in, s.execution_id) AND i.workspace_id = s.workspace_id
        AND (i.loop_key = s.node_id OR starts_with(i.loop_key, s.node_id || ':'))
      WHERE s.execution_id = ${executionId}::uuid AND s.workspace_id = ${workspaceId}::uuid AND s.iteration = ''
        AND s.node_id = ANY(${[...nodeIds]}::text[])
      LIMIT ${most + 1}::int) counted`;
  return row?.count ?? 0;
}
