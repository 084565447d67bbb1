import type { Database } from '../../client.ts';

export async function hasWorkspace(database: Database, workspaceId: string): Promise<boolean> {
  return (await database.workspace.findUnique({ where: { id: workspaceId }, select: { id: true } })) !== null;
}
