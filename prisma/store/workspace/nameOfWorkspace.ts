import type { Database } from '../../client.ts';

export async function nameOfWorkspace(database: Database, workspaceId: string): Promise<string> {
  return (await database.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { name: true } })).name;
}
