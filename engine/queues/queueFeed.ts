/** A queue with ready or scheduled items. */
export interface QueueNews {
  workspaceId: string;
  queueId: string;
  /** Epoch milliseconds; absent if something may be ready now. */
  dueAt?: number;
  /** The workflows that drain it have changed. */
  consumersChanged?: true;
}

type Listener = (news: QueueNews) => void;

export const QUEUE_CHANNEL = 'perdure_queue';

/**
 * Notifies the queue runner that a queue has items. Database triggers notify with the write itself (items, activations,
 * ends of batches, changes of workflows), so no writer can forget it.
 */
export class QueueFeed {
  readonly #listeners = new Set<Listener>();

  /** Call the returned function to stop. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** `<workspace> <queue> <due>[ consumers]`, as the triggers write it; an empty due is now. */
  notified(payload: string): void {
    const [workspaceId, queueId, due = '', what] = payload.split(' ');
    if (!workspaceId || !queueId) return;
    const news: QueueNews = { workspaceId, queueId };
    if (due !== '') news.dueAt = Number(due);
    if (what === 'consumers') news.consumersChanged = true;
    for (const listener of this.#listeners) listener(news);
  }
}
