import type { Outcome } from '../domain/execution/outcome.ts';

/** The place of a step in its case: execution, iteration, node. */
export type StepKey = string;

export function stepKey(executionId: string, iteration: string, nodeId: string): StepKey {
  return `${executionId} ${iteration} ${nodeId}`;
}

/**
 * The time of a case: it stands still while work is done, and moves by what is waited for alone. So `now` is the same in each
 * run of the case, however busy the machine is. Milliseconds since the epoch.
 */
export class CaseClock {
  #now = 0;
  /** When what a step waits for is due. */
  readonly #due = new Map<StepKey, number>();
  /** Pauses of loops. */
  readonly #pauses = new Map<StepKey, number>();

  get now(): number {
    return this.#now;
  }

  /** Something was waited for that was due then. Time never goes back. */
  reach(at: number): void {
    this.#now = Math.max(this.#now, at);
  }

  /** The step waits no more. */
  reachDue(step: StepKey): void {
    this.reach(this.#due.get(step) ?? this.#now);
    this.#due.delete(step);
  }

  /** What a step waits for from now on. */
  note(step: StepKey, outcome: Outcome): void {
    if (outcome.status === 'WAITING') this.#due.set(step, outcome.wakeAt);
    if (outcome.status === 'RETRYING') this.#due.set(step, this.#now + outcome.delayMs);
    if (outcome.status === 'NEEDS_INPUT' && outcome.expiresAt !== undefined) this.#due.set(step, outcome.expiresAt);
    if (outcome.status === 'LOOPING' && outcome.loop?.pauseMs !== undefined) {
      this.#pauses.set(step, outcome.loop.pauseMs);
    }
  }

  /** A loop pauses between two iterations. */
  pause(step: StepKey): void {
    this.#due.set(step, this.#now + (this.#pauses.get(step) ?? 0));
  }
}
