import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

/** An ad-hoc run's own definition. */
export async function readExecutionDefinition(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<Definition | undefined> {
  const [row] = await database.$queryRaw<{ definition: Definition | null }[]>`
    SELECT definition FROM executions
    WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  return row?.definition ?? undefined;
}
