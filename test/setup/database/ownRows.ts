import { v7 } from 'uuid';
import type { Database } from '../../../prisma/client.ts';

/** A workspace with nothing in it; its id. */
export async function insertOwnWorkspace(database: Database): Promise<string> {
  const { id } = await database.workspace.create({ data: { id: v7(), name: 'own' } });
  return id;
}

/** An execution's row, PENDING, in a workspace of its own; its version is known by its id alone. */
export async function insertOwnExecution(
  database: Database,
  more: { number?: number; trigger?: object; variables?: object; notice?: 'each' } = {},
): Promise<{ workspaceId: string; executionId: string }> {
  const workspaceId = await insertOwnWorkspace(database);
  const row = { workspaceId, versionId: v7(), number: 1, name: 'w', source: 'WORKFLOW', trigger: {}, variables: {} };
  const { id } = await database.execution.create({ data: { id: v7(), ...row, ...more } });
  return { workspaceId, executionId: id };
}
