import type { Database } from '../../client.ts';

/** Can be repeated. Returns whether any iterations remain. */
export async function takeOverBatch(
  database: Database,
  workspaceId: string,
  executionId: string,
  most: number,
): Promise<boolean> {
  const [row] = await database.$queryRaw<[{ more: boolean }]>`
    SELECT take_over_batch(${workspaceId}::uuid, ${executionId}::uuid, ${most}::integer) AS more`;
  return row.more;
}
