type Listener = (workspaceId: string) => void;

export const ACCESS_CHANNEL = 'perdure_access';

/** Someone lost rights: a revoked key or session, a removed member, another role, a withdrawn grant. */
export class AccessFeed {
  readonly #listeners = new Set<Listener>();

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notified(workspaceId: string): void {
    for (const listener of this.#listeners) listener(workspaceId);
  }
}
