import { findAction } from '../domain/app/manifest.ts';
import { mayRepeat } from '../domain/app/mayRepeat.ts';
import { durationWritten } from '../domain/durationWords.ts';
import { MAX_TIMER_MS } from '../domain/limits.ts';
import { answerLost } from './answerLost.ts';
import { type ActionResult, type AnswerState, type Executor, failed } from './apps/executor.ts';
import { MissingAction } from './apps/missingAction.ts';
import { authorMessage } from './authorMessage.ts';
import type { CalledAction } from './calledAction.ts';
import { secretsOfCall, withoutSecrets } from './secretsOfCall.ts';
import type { ActivityServices } from './services.ts';

type Services = Pick<ActivityServices, 'executorOf' | 'customExecutor' | 'catalogue' | 'log'>;

/** Enforces the timeout even if the executor ignores its signal. No failure contains secrets of the call. */
export async function callAction(services: Services, called: CalledAction): Promise<ActionResult> {
  const answer: AnswerState = { isAwaited: false };
  const result = await inTime(services, called, answer);
  const settled = answer.isAwaited ? withLoss(services, called, result) : result;
  return withoutSecrets(settled, secretsOfCall(services.catalogue, called));
}

/** A retry policy would repeat the call. */
function withLoss({ catalogue }: Services, called: CalledAction, result: ActionResult): ActionResult {
  const { appId, actionId, customApp, action = findAction(catalogue, appId, actionId) } = called;
  if (result.ok || mayRepeat(action, customApp?.custom.runs)) return result;
  return { ...result, failure: answerLost(result.failure) };
}

async function inTime(
  services: Services,
  { inputs, connection, origin, key, attempt, clock, ...called }: CalledAction,
  answer: AnswerState,
): Promise<ActionResult> {
  const { log } = services;
  const { appId, actionId } = called;
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
    answer,
    signal,
    ...(origin ? { origin } : {}),
    ...(connection ? { connection } : {}),
  };
  // Not a failure: an action that this build lacks waits for a worker that has it.
  const execute = executorFor(services, called);
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

/** Throws MissingAction. */
function executorFor(
  { executorOf, customExecutor }: Services,
  { appId, actionId, action, customApp }: Pick<CalledAction, 'appId' | 'actionId' | 'action' | 'customApp'>,
): Executor {
  if (customApp === undefined) return executorOf(appId, actionId);
  if (action === undefined) throw new MissingAction(appId, actionId);
  return (call) => customExecutor(customApp, action, call);
}
