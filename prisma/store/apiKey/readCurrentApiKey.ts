import type { Database } from '../../client.ts';

export interface CurrentApiKey {
  apiKey: { id: string; name: string };
  workspace: { id: string; name: string };
}

export async function readCurrentApiKey(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<CurrentApiKey | undefined> {
  const row = await database.apiKey.findFirst({
    where: { id, workspaceId },
    select: { id: true, name: true, workspace: { select: { id: true, name: true } } },
  });
  return row === null ? undefined : { apiKey: { id: row.id, name: row.name }, workspace: row.workspace };
}
