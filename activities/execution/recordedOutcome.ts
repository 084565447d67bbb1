import type { Outcome } from '../../domain/execution/outcome.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { NodeType } from '../../domain/workflow/definition.ts';
import type { RecordedStep } from '../../prisma/store/execution/runContext.ts';

/** Returns the outcome that an earlier try of this activity wrote for the step; undefined if it wrote none. */
export function recordedOutcome(
  nodeId: string,
  attempt: number,
  step: RecordedStep | undefined,
  nodeType: NodeType,
  now: number,
): Outcome | undefined {
  if (step?.status === 'COMPLETED') {
    const stopOutcome = nodeType === 'stop' && isJsonObject(step.output) ? step.output.outcome : undefined;
    const stopMember = stopOutcome === 'completed' || stopOutcome === 'failed' ? ({ stop: stopOutcome } as const) : {};
    return { nodeId, status: 'COMPLETED', ...(step.handle === null ? {} : { handle: step.handle }), ...stopMember };
  }
  if (step?.status === 'FAILED') return { nodeId, status: 'FAILED', code: step.error?.code ?? 'UNKNOWN' };
  if (step?.status === 'RETRYING' && step.attempt >= attempt) {
    const delayMs = Math.max((step.wakeAt ?? now) - now, 0);
    return { nodeId, status: 'RETRYING', attempt: step.attempt, delayMs, code: step.error?.code ?? 'UNKNOWN' };
  }
  if (step?.status === 'NEEDS_INPUT') {
    return { nodeId, status: 'NEEDS_INPUT', ...(step.wakeAt === null ? {} : { expiresAt: step.wakeAt }) };
  }
  // A paused loop is WAITING too, but begins again and finds the rows of its iterations.
  if (step?.status === 'WAITING' && nodeType === 'delay' && step.wakeAt !== null) {
    return { nodeId, status: 'WAITING', wakeAt: step.wakeAt, delayMs: Math.max(step.wakeAt - now, 1) };
  }
  return undefined;
}
