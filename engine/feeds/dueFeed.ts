export const EVENT_CHANNEL = 'perdure_events';
export const FAILURE_CHANNEL = 'perdure_failure';
export const TOOL_CHANNEL = 'perdure_tools';

/** Notifies of due event deliveries, error workflows or changed tools; triggers send it with the write. */
export class DueFeed {
  readonly #listeners = new Set<(workspaceId: string) => void>();

  subscribe(listener: (workspaceId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notified(workspaceId: string): void {
    for (const listener of this.#listeners) listener(workspaceId);
  }
}
