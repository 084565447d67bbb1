import type { ExecutionIds } from './executionIds.ts';

export function childIdOf(executionIds: ExecutionIds, executionId: string, nodeId: string, iteration: string): string {
  return executionIds(executionId, `run ${nodeId} ${iteration}`);
}
