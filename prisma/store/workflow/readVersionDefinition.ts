import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

export async function readVersionDefinition(
  database: Database,
  workspaceId: string,
  versionId: string,
): Promise<Definition | undefined> {
  const [row] = await database.$queryRaw<{ definition: Definition }[]>`
    SELECT definition FROM workflow_versions
    WHERE id = ${versionId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  return row?.definition;
}
