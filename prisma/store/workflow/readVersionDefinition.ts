import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

export async function readVersionDefinition(
  database: Database,
  workspaceId: string,
  versionId: string,
): Promise<Definition | undefined> {
  const where = { id: versionId, workspaceId };
  const row = await database.workflowVersion.findUnique({ where, select: { definition: true } });
  return row?.definition as Definition | undefined;
}
