import { activityInfo } from '@temporalio/activity';
import { LONGEST_TIMER_MS } from '../../domain/longestTimer.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { type ActionCall, type ActionResult, failed } from '../apps/executor.ts';
import type { ActivityServices } from '../services.ts';

export interface ActionClock {
  timeoutMs?: number | undefined;
  cancellation?: AbortSignal;
}

/** Runs an executor against the clock, also one that does not heed its signal. What it throws is a failure too. */
export async function executeAction(
  services: ActivityServices,
  compiled: CompiledNode,
  call: Omit<ActionCall, 'signal'>,
  { timeoutMs, cancellation }: ActionClock,
): Promise<ActionResult> {
  const { appId = '', actionId = '' } = compiled.node;
  // A node may name up to a year; its attempt ends before, and is tried again as any that took too long.
  const limitMs = timeoutMs === undefined ? undefined : Math.min(timeoutMs, LONGEST_TIMER_MS);
  const timeout = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
  const signals = [timeout, cancellation].filter((signal) => signal !== undefined);
  const signal = signals.length === 0 ? new AbortController().signal : AbortSignal.any(signals);
  const stopped = new Promise<ActionResult>((resolve) => {
    const stop = () => resolve(failed('TIMEOUT', 'The action was stopped', { retryable: true }));
    signal.addEventListener('abort', stop, { once: true });
  });
  const work = async () => services.executorOf(appId, actionId)({ ...call, signal });
  let result: ActionResult;
  try {
    result = await Promise.race([work(), stopped]);
  } catch (error) {
    // Its message may hold what it was given; the step's row keeps that.
    const name = error instanceof Error ? error.name : typeof error;
    services.log.error({ error: name, appId, actionId, activityId: activityInfo().activityId }, 'an action threw');
    result = failed('ACTION_CRASHED', error instanceof Error ? error.message : String(error), { retryable: true });
  }
  if (!timeout?.aborted || result.ok) return result;
  return failed('TIMEOUT', `Not finished within ${limitMs} ms`, { retryable: true });
}
