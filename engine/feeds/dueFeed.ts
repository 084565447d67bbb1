export const EVENT_CHANNEL = 'perdure_events';
export const FAILURE_CHANNEL = 'perdure_failure';

/**
 * Says that deliveries of events, or error workflows, of a workspace are due now: the database notifies with the write of one (note_event,
 * note_failure), so no writer can forget it.
 */
export class DueFeed {
  readonly #listeners = new Set<(workspaceId: string) => void>();

  /** Call the returned function to stop. */
  subscribe(listener: (workspaceId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notified(workspaceId: string): void {
    for (const listener of this.#listeners) listener(workspaceId);
  }
}
