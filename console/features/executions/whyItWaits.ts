import { isTerminal } from '../../../domain/execution/status.ts';
import { relativeTime } from '../../ui/time/times.ts';
import type { ExecutionStep, ExecutionWhole } from './queries/executions.ts';
import { EXECUTION } from './words.ts';

const words = EXECUTION.why;

/** Returns a sentence about what an open execution does or waits for; undefined once it has ended. */
export function whyItWaits(execution: ExecutionWhole, now: number): string | undefined {
  const { status, held, executionPath = [] } = execution;
  if (status !== undefined && isTerminal(status)) return undefined;
  if (held === true) return words.held;
  if (status === 'PENDING') return words.pending;
  const of = (wanted: ExecutionStep['status']) => executionPath.filter((step) => step.status === wanted);
  const asked = of('NEEDS_INPUT').at(-1);
  if (asked !== undefined) return words.person(asked.label);
  const retrying = of('RETRYING').at(-1);
  if (retrying !== undefined) {
    return until(words.retrying(retrying.label, retrying.error?.code ?? ''), retrying.wakeAt, now);
  }
  const waiting = of('WAITING').at(-1);
  if (waiting !== undefined) {
    const { label, wakeAt, awaitedApproval } = waiting;
    if (awaitedApproval !== undefined) return words.approval(label);
    const worker = awaitedWorker(waiting);
    if (worker !== undefined) return words.worker(label, worker);
    return until(wakeAt === undefined ? words.waiting(label) : words.timer(label), wakeAt, now);
  }
  const steps = of('RUNNING');
  const begun = steps.map(waitedFor);
  const [last] = steps.slice(-1);
  // The step links to the task or execution that waits for an answer.
  if (last !== undefined && begun.every((each) => each !== undefined)) {
    return begun.at(-1)?.kind === 'itsTask' ? words.agent(last.label) : words.child(last.label);
  }
  const running = steps.map(({ label }) => `“${label}”`);
  return running.length === 0 ? words.pending : words.running([...new Set(running)].slice(-3).join(', '));
}

/** Returns `no worker polls <task queue>` if the step waits for a worker. */
export function awaitedWorker({ statusMessage }: ExecutionStep): string | undefined {
  return statusMessage?.startsWith('no worker polls ') ? statusMessage : undefined;
}

function until(sentence: string, wakeAt: string | undefined, now: number): string {
  return wakeAt === undefined ? `${sentence}.` : words.at(`${sentence} ${relativeTime(Date.parse(wakeAt), now)}`);
}

interface WaitedFor {
  kind: 'itsExecution' | 'itsTask' | 'askingTask';
  to: string;
}

/** Returns what a step waits for: a child execution, an agent's task, or a sub-agent's task that needs approval. */
export function waitedFor({ appId, actionId, input, awaitedApproval }: ExecutionStep): WaitedFor | undefined {
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
