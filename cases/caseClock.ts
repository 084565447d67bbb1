import type { Outcome } from '../domain/execution/outcome.ts';

export type StepKey = string;

export function stepKey(executionId: string, iteration: string, nodeId: string): StepKey {
  return `${executionId} ${iteration} ${nodeId}`;
}

/** The clock of a case, epoch milliseconds. Only waits advance it, never work, so `now` is the same in each run. */
export class CaseClock {
  #now = 0;
  readonly #due = new Map<StepKey, number>();
  readonly #pauses = new Map<StepKey, number>();

  get now(): number {
    return this.#now;
  }

  /** Time never goes back. */
  reach(at: number): void {
    this.#now = Math.max(this.#now, at);
  }

  reachDue(step: StepKey): void {
    this.reach(this.#due.get(step) ?? this.#now);
    this.#due.delete(step);
  }

  note(step: StepKey, outcome: Outcome): void {
    if (outcome.status === 'WAITING') this.#due.set(step, outcome.wakeAt);
    if (outcome.status === 'RETRYING') this.#due.set(step, this.#now + outcome.delayMs);
    if (outcome.status === 'NEEDS_INPUT' && outcome.expiresAt !== undefined) this.#due.set(step, outcome.expiresAt);
    if (outcome.status === 'LOOPING' && outcome.loop?.pauseMs !== undefined) {
      this.#pauses.set(step, outcome.loop.pauseMs);
    }
  }

  pause(step: StepKey): void {
    this.#due.set(step, this.#now + (this.#pauses.get(step) ?? 0));
  }
}
