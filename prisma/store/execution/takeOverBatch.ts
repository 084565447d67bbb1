import type { Database } from '../../client.ts';

/**
 * Takes over up to `most` more ended iterations for a retry, in one statement. Returns whether there are more. Can be repeated:
 * the database records what is left.
 */
export async function takeOverBatch(
  database: Database,
  workspaceId: string,
  executionId: string,
  most: number,
): Promise<boolean> {
  // Raw: a function over sets.
  const [row] = await database.$queryRaw<[{ more: boolean }]>`
    SELECT take_over_batch(${workspaceId}::uuid, ${executionId}::uuid, ${most}::integer) AS more`;
  return row.more;
}
