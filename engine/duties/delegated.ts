import { anyDueDelivery } from '../../prisma/store/eventSubscription/claimSubscriptions.ts';
import { anyUnsentAnswer } from '../../prisma/store/execution/reconcileQueries.ts';
import { anyWait } from '../../prisma/store/execution/stepWaits.ts';
import { anyFailure } from '../../prisma/store/failure/claimFailures.ts';
import { anyDueSchedule } from '../../prisma/store/schedule/claimSchedules.ts';
import { AGAIN_MS } from '../executions/stepWakes.ts';
import { CHECK_AGE_MS } from '../schedules/schedules.ts';
import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

export function resendInputs({ answers }: Pick<DutyParts, 'answers'>, intervalMs: number): Duty {
  return {
    name: 'resend answers',
    intervalMs,
    due: (buckets) => anyUnsentAnswer(SETTLING_MS, buckets),
    run: (stopped, repaired, buckets) =>
      inRounds(stopped, async () => {
        const sent = await answers.sendUnsent(SETTLING_MS, buckets, BATCH);
        repaired(sent);
        return sent === BATCH;
      }),
  };
}

/** Wakes steps whose connection was authorized, or whose agent no longer asks, if the signal was lost. */
export function wakeSteps({ stepWakes }: Pick<DutyParts, 'stepWakes'>, intervalMs: number): Duty {
  return {
    name: 'wake waiting steps',
    intervalMs,
    due: (buckets) => anyWait(AGAIN_MS, buckets),
    run: (stopped, repaired, buckets) =>
      inRounds(stopped, async () => {
        const sent = await stepWakes.wakeDue(buckets, BATCH);
        repaired(sent);
        return sent === BATCH;
      }),
  };
}

export const HANDLE_FAILURES = 'handle failures';

/** Handles failures whose notification or whose handler's start was lost. */
export function handleFailures({ failures }: Pick<DutyParts, 'failures'>, intervalMs: number): Duty {
  return { name: HANDLE_FAILURES, intervalMs, due: anyFailure, run: () => failures.handleDue() };
}

export function syncSchedules({ schedules }: Pick<DutyParts, 'schedules'>, intervalMs: number): Duty {
  return {
    name: 'tell schedules',
    intervalMs,
    due: (buckets) => anyDueSchedule(CHECK_AGE_MS, buckets),
    run: (_stopped, _repaired, buckets) => schedules.reconcile(buckets, BATCH),
  };
}

export const DELIVER_EVENTS = 'deliver events';

/** Delivers events whose notification was lost, or whose next attempt is due. */
export function deliverEvents({ events }: Pick<DutyParts, 'events'>, intervalMs: number): Duty {
  return { name: DELIVER_EVENTS, intervalMs, due: anyDueDelivery, run: () => events.deliverDue() };
}
