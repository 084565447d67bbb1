import type { Database } from '../../client.ts';

/** Whether the person is a member of another workspace than this one. */
export async function isOfOthersToo(database: Database, workspaceId: string, userId: string): Promise<boolean> {
  return (await database.workspaceUser.count({ where: { userId, workspaceId: { not: workspaceId } } })) > 0;
}
