import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

/** The resolved inputs of a step as they were written; undefined where it has none. */
export async function readStepInput(
  database: Database,
  workspaceId: string,
  executionId: string,
  { nodeId, iteration }: { nodeId: string; iteration: string },
): Promise<JsonObject | undefined> {
  const step = await database.executionStep.findFirst({
    where: { workspaceId, executionId, nodeId, iteration },
    select: { input: true },
  });
  return (step?.input ?? undefined) as JsonObject | undefined;
}
