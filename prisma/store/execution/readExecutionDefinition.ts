import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

/** An ad-hoc run's own definition. */
export async function readExecutionDefinition(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<Definition | undefined> {
  const where = { id: executionId, workspaceId };
  const row = await database.execution.findUnique({ where, select: { definition: true } });
  return (row?.definition as Definition | null | undefined) ?? undefined;
}
