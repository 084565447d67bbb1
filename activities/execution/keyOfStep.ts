import type { JsonObject } from '../../domain/json.ts';
import { readCompletions } from '../../prisma/store/execution/readCompletions.ts';
import type { ActivityServices } from '../services.ts';

/** A step of an execution, in a retry or not. */
export interface KeyedStep {
  workspaceId: string;
  executionId: string;
  /** As in RunContext. */
  lineageId: string | null;
  nodeId: string;
  iteration: string;
}

/**
 * The idempotency key of a step, made from its inputs when it is asked for. Only a retry reads: how often the step completed in
 * the executions before, since work that is done again on purpose has a key of its own.
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
