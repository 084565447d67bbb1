import type { JsonObject } from '../../domain/json.ts';
import { readCompletions } from '../../prisma/store/execution/readCompletions.ts';
import type { ActivityServices } from '../services.ts';

export interface KeyedStep {
  workspaceId: string;
  executionId: string;
  lineageId: string | null;
  nodeId: string;
  iteration: string;
}

/**
 * Returns the idempotency key of a step, computed from its inputs on first use. Only a retry reads the database: it
 * counts how often earlier executions completed the step, because work that is repeated on purpose needs a new key.
 */
export async function keyOfStep(
  { database, stepKeys }: ActivityServices,
  step: KeyedStep,
): Promise<(inputs: JsonObject) => () => string> {
  const { executionId, lineageId, nodeId, iteration } = step;
  const completed = lineageId === null ? 0 : await readCompletions(database, step);
  const work = { lineageId: lineageId ?? executionId, nodeId, iteration, completed };
  return (inputs) => {
    let key: string | undefined;
    return () => {
      key ??= stepKeys({ ...work, inputs });
      return key;
    };
  };
}
