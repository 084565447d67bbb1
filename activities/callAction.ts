import { durationWritten } from '../domain/durationWords.ts';
import { MAX_TIMER_MS } from '../domain/limits.ts';
import { type ActionResult, failed } from './apps/executor.ts';
import type { CalledAction } from './calledAction.ts';
import { secretsOfCall, withoutSecrets } from './secretsOfCall.ts';
import type { ActivityServices } from './services.ts';
import { shownMessage } from './shownMessage.ts';

type Services = Pick<ActivityServices, 'executorOf' | 'catalogue' | 'log'>;

/**
 * Runs the executor under a timeout, even if it ignores its signal. A thrown error is a failure too, and no failure
 * contains the secrets of the call.
 */
export async function callAction(services: Services, called: CalledAction): Promise<ActionResult> {
  return withoutSecrets(await inTime(services, called), secretsOfCall(services.catalogue, called));
}

async function inTime(
  { executorOf, log }: Services,
  { appId, actionId, inputs, connection, origin, key, attempt, clock }: CalledAction,
): Promise<ActionResult> {
  const { timeoutMs, cancellation } = clock;
  // A node may name up to a year; its attempt ends before, and is tried again as any that took too long.
  const limitMs = timeoutMs === undefined ? undefined : Math.min(timeoutMs, MAX_TIMER_MS);
  const timeout = limitMs === undefined ? undefined : AbortSignal.timeout(limitMs);
  const signals = [timeout, cancellation].filter((signal) => signal !== undefined);
  const signal = signals.length === 0 ? new AbortController().signal : AbortSignal.any(signals);
  const stopped = new Promise<ActionResult>((resolve) => {
    const stop = () => resolve(failed('TIMEOUT', 'The action was stopped', { retryable: true }));
    signal.addEventListener('abort', stop, { once: true });
  });
  const call = {
    inputs,
    get idempotencyKey() {
      return typeof key === 'string' ? key : key();
    },
    attempt,
    signal,
    ...(origin ? { origin } : {}),
    ...(connection ? { connection } : {}),
  };
  // Outside of the failures: an action that this build does not have waits for one that has.
  const execute = executorOf(appId, actionId);
  const work = async () => execute(call);
  let result: ActionResult;
  try {
    result = await Promise.race([work(), stopped]);
  } catch (error) {
    // Its message may contain inputs; only the step's row stores it.
    log.error({ error: error instanceof Error ? error.name : typeof error, appId, actionId }, 'an action threw');
    result = failed('ACTION_CRASHED', shownMessage(error), { retryable: true });
  }
  if (!timeout?.aborted || result.ok) return result;
  return failed('TIMEOUT', `Not finished within ${durationWritten(limitMs ?? 0)}`, { retryable: true });
}
