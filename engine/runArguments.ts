import type { RunExecutionArguments } from '../temporal-workflows/names.ts';
import type { ExecutionStart } from './engine.ts';

export function runArguments(
  execution: Pick<ExecutionStart, 'workspaceId' | 'executionId' | 'versionId' | 'plan' | 'progress'>,
  actionTimeoutMs: number,
): RunExecutionArguments {
  const { workspaceId, executionId, versionId, plan, progress } = execution;
  return {
    workspaceId,
    executionId,
    ...(versionId === undefined ? {} : { versionId }),
    plan,
    actionTimeoutMs,
    ...(progress === undefined ? {} : { progress }),
  };
}
