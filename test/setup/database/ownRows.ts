import { v7 } from 'uuid';
import type { Database } from '../../../prisma/client.ts';

export async function insertOwnWorkspace(database: Database): Promise<string> {
  const { id } = await database.workspace.create({ data: { id: v7(), name: 'own' } });
  return id;
}

/** Inserts a PENDING execution in a new workspace; its version has no row. */
export async function insertOwnExecution(
  database: Database,
  more: { number?: number; trigger?: object; variables?: object; notice?: 'each' } = {},
): Promise<{ workspaceId: string; executionId: string }> {
  const workspaceId = await insertOwnWorkspace(database);
  const row = { workspaceId, versionId: v7(), number: 1, name: 'w', source: 'WORKFLOW', trigger: {}, variables: {} };
  const { id } = await database.execution.create({ data: { id: v7(), ...row, ...more } });
  return { workspaceId, executionId: id };
}
