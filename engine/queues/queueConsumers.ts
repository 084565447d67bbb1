import { LRUCache } from 'lru-cache';
import type { Database } from '../../prisma/client.ts';
import { readConsumers } from '../../prisma/store/queue/consumedQueues.ts';
import type { WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';

const MAX_QUEUES = 1_000;
/** A notification may be lost: the first turn of a second workflow waits no longer than this. */
const REMEMBERED_MS = 10_000;

/**
 * Caches the workflow that drains a queue if there is only one, the usual case. `take_queue_batches` itself checks
 * queue, workflow, version and room, so a stale entry takes nothing wrong.
 */
export class QueueConsumers {
  readonly #database: Database;
  readonly #sole = new LRUCache<string, WorkflowHead>({ max: MAX_QUEUES, ttl: REMEMBERED_MS });
  /** Counts invalidations: a read that ran meanwhile is not cached. */
  #forgotten = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  sole(workspaceId: string, queueId: string): WorkflowHead | undefined {
    const head = this.#sole.get(queueId);
    return head?.workspaceId === workspaceId ? head : undefined;
  }

  /** Returns the workflows that may drain the queue now, the longest waiting first. */
  async read(workspaceId: string, queueId: string): Promise<WorkflowHead[]> {
    const before = this.#forgotten;
    const heads = await readConsumers(this.#database, workspaceId, queueId);
    const [head] = heads;
    if (head && heads.length === 1 && before === this.#forgotten) this.#sole.set(queueId, head);
    else this.#sole.delete(queueId);
    return heads;
  }

  forget(queueId: string): void {
    this.#forgotten += 1;
    this.#sole.delete(queueId);
  }
}
