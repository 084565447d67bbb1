import { durationWritten } from '../domain/durationWords.ts';
import { MAX_TIMER_MS } from '../domain/limits.ts';
import { type ActionResult, failed } from './apps/executor.ts';
import { authorMessage } from './authorMessage.ts';
import type { CalledAction } from './calledAction.ts';
import { secretsOfCall, withoutSecrets } from './secretsOfCall.ts';
import type { ActivityServices } from './services.ts';

type Services = Pick<ActivityServices, 'executorOf' | 'catalogue' | 'log'>;

/** Enforces the timeout even if the executor ignores its signal. No failure contains secrets of the call. */
export async function callAction(services: Services, called: CalledAction): Promise<ActionResult> {
  return withoutSecrets(await inTime(services, called), secretsOfCall(services.catalogue, called));
}

async function inTime(
  { executorOf, log }: Services,
  { appId, actionId, inputs, connection, origin, key, attempt, clock }: CalledAction,
): Promise<ActionResult> {
  const { timeoutMs, cancellation } = clock;
  // A node's limit may be a year. Its attempt ends earlier, and is retried like any that timed out.
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
  // Not a failure: an action that this build lacks waits for a worker that has it.
  const execute = executorOf(appId, actionId);
  const work = async () => execute(call);
  let result: ActionResult;
  try {
    result = await Promise.race([work(), stopped]);
  } catch (error) {
    // The message may contain inputs, so only the step's row stores it.
    log.error({ error: error instanceof Error ? error.name : typeof error, appId, actionId }, 'an action threw');
    result = failed('ACTION_CRASHED', authorMessage(error), { retryable: true });
  }
  if (!timeout?.aborted || result.ok) return result;
  return failed('TIMEOUT', `Not finished within ${durationWritten(limitMs ?? 0)}`, { retryable: true });
}
