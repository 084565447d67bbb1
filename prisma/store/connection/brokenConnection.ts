import type { Database } from '../../client.ts';

/** Returns the name of a connection that must be authorized again; undefined if it need not be. */
export async function brokenConnection(
  database: Database,
  workspaceId: string,
  connectionId: string,
): Promise<string | undefined> {
  const row = await database.connection.findFirst({
    where: { id: connectionId, workspaceId, status: 'needsReconnect' },
    select: { name: true },
  });
  return row?.name;
}
