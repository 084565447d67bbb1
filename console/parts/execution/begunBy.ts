import type { ExecutionStep } from '../../data/executions.ts';

/** Where what a step waits for goes on: an execution of another workflow, or the task of an agent. */
export function begunBy({
  appId,
  actionId,
  input,
}: ExecutionStep): { kind: 'itsExecution' | 'itsTask'; to: string } | undefined {
  const { executionId, workflowId, slug, agentId, taskId } = (input ?? {}) as Record<string, unknown>;
  const isCall = appId === null && (workflowId !== undefined || slug !== undefined);
  if (isCall && typeof executionId === 'string') return { kind: 'itsExecution', to: `/executions/${executionId}` };
  const isAsked = appId === 'agent' && actionId === 'run' && typeof agentId === 'string';
  return isAsked && typeof taskId === 'string'
    ? { kind: 'itsTask', to: `/agents/${agentId}/tasks/${taskId}` }
    : undefined;
}
