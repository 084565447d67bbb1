type Listener = (workspaceId: string) => void;

export const ACCESS_CHANNEL = 'perdure_access';

/**
 * Tells that somebody of a workspace may do less than before: a key or session that was revoked, a member who was removed or
 * got another role, a grant that was taken back. Triggers of the database tell it with the write itself, from any process.
 */
export class AccessFeed {
  readonly #listeners = new Set<Listener>();

  /** Call the returned function to stop. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The payload is the workspace's id. */
  notified(workspaceId: string): void {
    for (const listener of this.#listeners) listener(workspaceId);
  }
}
