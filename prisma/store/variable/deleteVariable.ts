import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Whether there was one. */
export async function deleteVariable(database: Database, workspaceId: string, id: string): Promise<boolean> {
  const deleted = await database.$executeRaw(Prisma.sql`
    DELETE FROM variables WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid`);
  return deleted === 1;
}
