import type { components } from '#client';

export type SeenStep = Pick<
  components['schemas']['ExecutionStep'],
  'id' | 'nodeId' | 'label' | 'status' | 'attempt' | 'iteration' | 'error' | 'startedAt' | 'stoppedAt'
>;

/** A line of a followed execution. `at` is when the step began or ended; null if neither. */
export interface StepChange extends Pick<SeenStep, 'nodeId' | 'label' | 'status' | 'attempt' | 'iteration' | 'error'> {
  at: string | null;
  stepId: string;
}

/** Yields each (step, attempt, status) once, regardless of the number of snapshots with it. */
export class StepChanges {
  readonly #seen = new Set<string>();
  #waiting: SeenStep[] = [];

  /** Notes a step that no snapshot contains; it is returned with the next one. */
  note(step: SeenStep): void {
    this.#waiting.push(step);
  }

  of(steps: readonly SeenStep[]): StepChange[] {
    const all = [...this.#waiting.splice(0), ...steps];
    return all.flatMap(({ id: stepId, nodeId, label, status, attempt, iteration, error, startedAt, stoppedAt }) => {
      const key = `${stepId} ${attempt} ${status}`;
      if (this.#seen.has(key)) return [];
      this.#seen.add(key);
      const at = stoppedAt ?? startedAt;
      return [{ at, stepId, nodeId, label, status, attempt, iteration, ...(error === undefined ? {} : { error }) }];
    });
  }
}
