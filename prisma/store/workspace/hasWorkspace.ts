import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export async function hasWorkspace(database: Database, workspaceId: string): Promise<boolean> {
  const rows = await database.$queryRaw<{ found: boolean }[]>(Prisma.sql`
    SELECT EXISTS (SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid) AS found`);
  return rows[0]?.found === true;
}
