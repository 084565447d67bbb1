import type { ExecutionStep } from './queries/executions.ts';

interface Begun {
  kind: 'itsExecution' | 'itsTask' | 'askingTask';
  to: string;
}

/** Returns what a step waits for: a child execution, an agent's task, or a sub-agent's task that needs approval. */
export function begunBy({ appId, actionId, input, awaitedApproval }: ExecutionStep): Begun | undefined {
  const { executionId, workflowId, slug, agentId, taskId } = (input ?? {}) as Record<string, unknown>;
  const isCall = appId === null && (workflowId !== undefined || slug !== undefined);
  if (isCall && typeof executionId === 'string') return { kind: 'itsExecution', to: `/executions/${executionId}` };
  if (awaitedApproval !== undefined) {
    const kind = awaitedApproval.taskId === taskId ? 'itsTask' : 'askingTask';
    return { kind, to: `/agents/${awaitedApproval.agentId}/tasks/${awaitedApproval.taskId}` };
  }
  const isAsked = appId === 'agent' && actionId === 'run' && typeof agentId === 'string';
  return isAsked && typeof taskId === 'string'
    ? { kind: 'itsTask', to: `/agents/${agentId}/tasks/${taskId}` }
    : undefined;
}
