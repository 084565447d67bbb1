import { BATCH, type Duty, type DutyParts, inRounds, SETTLING_MS } from './duty.ts';

// Duties whose work is a call of another part of the engine.

/** Answers whose signal was lost. */
export function resendInputs({ answers }: Pick<DutyParts, 'answers'>, intervalMs: number): Duty {
  const tell = () => answers.sendUnsent(SETTLING_MS, BATCH);
  return { name: 'resend answers', intervalMs, run: (stopped) => inRounds(stopped, tell) };
}

/** Steps whose connection is there again, and whose signal was lost. */
export function wakeReconnected({ reconnects }: Pick<DutyParts, 'reconnects'>, intervalMs: number): Duty {
  const tell = () => reconnects.tellDue(BATCH);
  return { name: 'wake steps whose connection is back', intervalMs, run: (stopped) => inRounds(stopped, tell) };
}

/** Failures without a notification, or whose handler's start was lost. */
export function handleFailures({ failures }: Pick<DutyParts, 'failures'>, intervalMs: number): Duty {
  return { name: 'handle failures', intervalMs, run: () => failures.handleDue() };
}

/** Changes of schedules that did not reach the engine. */
export function syncSchedules({ schedules }: Pick<DutyParts, 'schedules'>, intervalMs: number): Duty {
  return { name: 'tell schedules', intervalMs, run: () => schedules.reconcile(BATCH).then(() => undefined) };
}
