import type { Database } from '../../client.ts';

/** One that is not deleted. */
export async function hasQueue(database: Database, workspaceId: string, queueId: string): Promise<boolean> {
  const found = await database.queue.count({ where: { id: queueId, workspaceId, deletedAt: null } });
  return found > 0;
}
