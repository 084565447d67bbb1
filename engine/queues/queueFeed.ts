export interface QueueNews {
  workspaceId: string;
  queueId: string;
  /** Epoch milliseconds; absent if something may be ready now. */
  dueAt?: number;
  consumersChanged?: true;
}

type Listener = (news: QueueNews) => void;

export const QUEUE_CHANNEL = 'perdure_queue';

/** Notifies of items. Database triggers send it with each relevant write, so no writer can forget it. */
export class QueueFeed {
  readonly #listeners = new Set<Listener>();

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** `<workspace> <queue> <due>[ consumers]`, as the triggers write it; an empty due means now. */
  notified(payload: string): void {
    const [workspaceId, queueId, due = '', what] = payload.split(' ');
    if (!workspaceId || !queueId) return;
    const news: QueueNews = { workspaceId, queueId };
    if (due !== '') news.dueAt = Number(due);
    if (what === 'consumers') news.consumersChanged = true;
    for (const listener of this.#listeners) listener(news);
  }
}
