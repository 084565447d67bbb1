import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

// Duties whose work is a call of another part of the engine.

/** Answers whose signal was lost. */
export function resendInputs({ answers }: Pick<DutyParts, 'answers'>, intervalMs: number): Duty {
  return {
    name: 'resend answers',
    intervalMs,
    run: (stopped, repaired) =>
      inRounds(stopped, async () => {
        const sent = await answers.sendUnsent(SETTLING_MS, BATCH);
        repaired(sent);
        return sent === BATCH;
      }),
  };
}

/** Steps whose connection is there again, and whose signal was lost. */
export function wakeReconnected({ reconnects }: Pick<DutyParts, 'reconnects'>, intervalMs: number): Duty {
  return {
    name: 'wake steps whose connection is back',
    intervalMs,
    run: (stopped, repaired) =>
      inRounds(stopped, async () => {
        const sent = await reconnects.tellDue(BATCH);
        repaired(sent);
        return sent === BATCH;
      }),
  };
}

export const HANDLE_FAILURES = 'handle failures';

/** Failures without a notification, or whose handler's start was lost. */
export function handleFailures({ failures }: Pick<DutyParts, 'failures'>, intervalMs: number): Duty {
  return { name: HANDLE_FAILURES, intervalMs, run: () => failures.handleDue() };
}

/** Changes of schedules that did not reach the engine. */
export function syncSchedules({ schedules }: Pick<DutyParts, 'schedules'>, intervalMs: number): Duty {
  return { name: 'tell schedules', intervalMs, run: () => schedules.reconcile(BATCH).then(() => undefined) };
}

export const DELIVER_EVENTS = 'deliver events';

/** Events whose notification was lost, or whose next attempt is due. */
export function deliverEvents({ events }: Pick<DutyParts, 'events'>, intervalMs: number): Duty {
  return { name: DELIVER_EVENTS, intervalMs, run: () => events.deliverDue() };
}
