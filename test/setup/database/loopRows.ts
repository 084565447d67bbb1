import type { Database } from '../../../prisma/client.ts';

/** Inserts the steps of a loop with `iterations` iterations of the node `nodeId`, every `failEvery`th FAILED. */
export async function insertLoopSteps(
  database: Database,
  { workspaceId, executionId }: { workspaceId: string; executionId: string },
  {
    prefix,
    nodeId,
    iterations,
    failEvery = 0,
  }: Record<'prefix' | 'nodeId', string> & { iterations: number; failEvery?: number },
): Promise<void> {
  await database.$executeRaw`
    INSERT INTO execution_steps (id, execution_id, workspace_id, node_id, iteration, label, type, status, output,
      started_at, stopped_at)
    SELECT gen_random_uuid(), ${executionId}::uuid, ${workspaceId}::uuid, ${nodeId}, ${prefix} || i, ${nodeId}, 'action',
      CASE WHEN ${failEvery}::int > 0 AND i % greatest(${failEvery}::int, 1) = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
      to_jsonb(i), now(), now()
    FROM generate_series(0, ${iterations - 1}::int) AS i ORDER BY i`;
}
