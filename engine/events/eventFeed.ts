export const EVENT_CHANNEL = 'perdure_events';

/** Says that deliveries are due now: the database notifies with the write of one (note_event), so no writer can forget it. */
export class EventFeed {
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
