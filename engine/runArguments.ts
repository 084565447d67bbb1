import type { RunExecutionArguments } from '../temporal-workflows/names.ts';
import type { ExecutionStart } from './engine.ts';

export function runArguments(
  execution: Pick<ExecutionStart, 'workspaceId' | 'executionId' | 'versionId' | 'plan'>,
  actionTimeoutMs: number,
): RunExecutionArguments {
  const { workspaceId, executionId, versionId, plan } = execution;
  return { workspaceId, executionId, ...(versionId === undefined ? {} : { versionId }), plan, actionTimeoutMs };
}
