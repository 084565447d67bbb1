import type { Duty, DutyParts } from './duty.ts';

/** Failures that nobody told of, or whose handler's start was lost. */
export function handleFailures({ failures }: Pick<DutyParts, 'failures'>, intervalMs: number): Duty {
  return { name: 'handle failures', intervalMs, run: () => failures.handleDue() };
}
