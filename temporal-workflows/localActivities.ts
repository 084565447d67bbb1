import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  proxyLocalActivities,
  sleep,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { TurnActivities } from '../domain/agent/turnCalls.ts';
import type { ExecutionActivities, LocalHint } from '../domain/execution/activityCalls.ts';
import { passes } from '../domain/execution/activityFailure.ts';
import { summary } from '../domain/execution/summary.ts';
import type { TriggerActivities } from '../domain/execution/triggerCalls.ts';
import { isRebuiltAt } from './rebuildNote.ts';

type LocalActivities = ExecutionActivities & TriggerActivities & TurnActivities;

/** Immediate attempts, which leave no events in the history. */
const QUICK_TRIES = 3;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/**
 * The Temporal UI shows `text`. A failed call is retried at once, then after timers, so that the workflow receives
 * signals and occupies no slot. The activity marks final failures (activities/guardedActivity.ts); an unavailable
 * database is awaited without limit.
 */
export function local(text: string): LocalActivities {
  const call = (_: object, name: string | symbol) => (argument: object) =>
    untilDone(text, name as keyof LocalActivities, argument);
  return new Proxy({}, { get: call }) as LocalActivities;
}

type Call = (argument: object, hint?: LocalHint) => Promise<unknown>;

async function untilDone(text: string, name: keyof LocalActivities, argument: object): Promise<unknown> {
  let tried = 0;
  for (let pause = 0; ; pause = Math.min(Math.max(2 * pause, FIRST_PAUSE_MS), MAX_PAUSE_MS)) {
    if (pause > 0) await sleep(pause, { summary: summary(`Tries again: ${text}`) });
    const tries = pause === 0 ? QUICK_TRIES : 1;
    try {
      return await (proxyWithTries(text, tries)[name] as unknown as Call)(argument, ...hintOf(tried));
    } catch (error) {
      if (isFinal(error)) throw error;
      const cause = causeOf(error);
      if (!(cause instanceof ApplicationFailure && passes(cause.type))) tried += tries;
    }
  }
}

/** A local activity's error comes as it was thrown, a remote one's is wrapped in an ActivityFailure. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}

function isFinal(error: unknown): boolean {
  const cause = causeOf(error);
  if (isCancellation(error) || !(cause instanceof TemporalFailure)) return true;
  return cause instanceof ApplicationFailure && cause.nonRetryable === true;
}

function proxyWithTries(text: string, maximumAttempts: number) {
  return proxyLocalActivities<LocalActivities>({
    summary: summary(text),
    // Longer than it takes to give up a statement of an unresponsive database.
    startToCloseTimeout: '2 minutes',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '200 milliseconds', maximumAttempts },
  });
}

function hintOf(tried: number): [hint?: LocalHint] {
  const rebuilt = isRebuiltAt(workflowInfo().historyLength);
  if (tried === 0 && !rebuilt) return [];
  return [{ ...(tried === 0 ? {} : { tried }), ...(rebuilt ? { rebuilt } : {}) }];
}
