import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface CurrentApiKey {
  apiKey: { id: string; name: string };
  workspace: { id: string; name: string };
}

export async function readCurrentApiKey(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<CurrentApiKey | undefined> {
  const rows = await database.$queryRaw<CurrentApiKey[]>(Prisma.sql`
    SELECT json_build_object('id', api_key.id, 'name', api_key.name) AS "apiKey",
      json_build_object('id', workspace.id, 'name', workspace.name) AS workspace
    FROM api_keys api_key JOIN workspaces workspace ON workspace.id = api_key.workspace_id
    WHERE api_key.id = ${id}::uuid AND api_key.workspace_id = ${workspaceId}::uuid`);
  return rows[0];
}
