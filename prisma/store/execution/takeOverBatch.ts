import type { Database } from '../../client.ts';

/**
 * Takes over up to `most` ended iterations more for a retry, in one statement. Answers whether there are more. It can be repeated: what
 * is left stands in the database.
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
