export const FAILURE_CHANNEL = 'perdure_failure';

/** Says that an error workflow is due: the database notifies with the write of one (note_failure), so no writer can forget it. */
export class FailureFeed {
  readonly #listeners = new Set<() => void>();

  /** Call the returned function to stop. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notified(): void {
    for (const listener of this.#listeners) listener();
  }
}
