import type { components } from '#client';

export type SeenStep = Pick<
  components['schemas']['ExecutionStep'],
  'id' | 'nodeId' | 'label' | 'status' | 'attempt' | 'iteration' | 'error'
>;

/** What is new of an execution's steps: each (step, attempt, status) once, whatever number of snapshots show it. */
export class StepChanges {
  readonly #seen = new Set<string>();
  #waiting: SeenStep[] = [];

  /** Steps that no snapshot shows: they come out with the next one. */
  note(step: SeenStep): void {
    this.#waiting.push(step);
  }

  of(steps: readonly SeenStep[]): SeenStep[] {
    const all = [...this.#waiting.splice(0), ...steps];
    return all.flatMap(({ id, nodeId, label, status, attempt, iteration, error }) => {
      const key = `${id} ${attempt} ${status}`;
      if (this.#seen.has(key)) return [];
      this.#seen.add(key);
      return [{ id, nodeId, label, status, attempt, iteration, ...(error === undefined ? {} : { error }) }];
    });
  }
}
