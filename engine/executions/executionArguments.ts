import type { RunExecutionArguments } from '../../temporal-workflows/names.ts';
import type { ExecutionStart } from '../engine.ts';

type Started = Pick<ExecutionStart, 'workspaceId' | 'executionId'> &
  Partial<Pick<ExecutionStart, 'versionId' | 'plan' | 'progress' | 'takesOver' | 'timeoutMs' | 'limited'>> & {
    held?: boolean;
  };

export function executionArguments(execution: Started): RunExecutionArguments {
  const { workspaceId, executionId, versionId, plan, progress, takesOver, timeoutMs, limited, held } = execution;
  return {
    workspaceId,
    executionId,
    ...(versionId === undefined ? {} : { versionId }),
    ...(plan === undefined ? {} : { plan }),
    ...(progress === undefined ? {} : { progress }),
    ...(takesOver ? { takesOver } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(limited ? { limited } : {}),
    ...(held ? { held } : {}),
  };
}
