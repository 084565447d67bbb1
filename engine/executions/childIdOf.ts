import type { ExecutionIds } from './executionIds.ts';

/** The id of the execution that a runWorkflow step starts: it follows from the step. */
export function childIdOf(executionIds: ExecutionIds, executionId: string, nodeId: string, iteration: string): string {
  return executionIds(executionId, `run ${nodeId} ${iteration}`);
}
