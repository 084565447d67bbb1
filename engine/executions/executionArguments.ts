import type { RunExecutionArguments } from '../../temporal-workflows/names.ts';
import type { ExecutionStart } from '../engine.ts';

export function executionArguments(
  execution: Pick<
    ExecutionStart,
    'workspaceId' | 'executionId' | 'versionId' | 'plan' | 'progress' | 'timeoutMs' | 'limited'
  > & { held?: boolean },
): RunExecutionArguments {
  const { workspaceId, executionId, versionId, plan, progress, timeoutMs, limited, held } = execution;
  return {
    workspaceId,
    executionId,
    ...(versionId === undefined ? {} : { versionId }),
    plan,
    ...(progress === undefined ? {} : { progress }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(limited ? { limited } : {}),
    ...(held ? { held } : {}),
  };
}
