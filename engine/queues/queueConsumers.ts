import { LRUCache } from 'lru-cache';
import type { Database } from '../../prisma/client.ts';
import { readConsumers } from '../../prisma/store/queue/consumedQueues.ts';
import type { WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';

const MAX_QUEUES = 1_000;
/** A notification may be lost: longer than this a second workflow does not wait for its first turn. */
const REMEMBERED_MS = 10_000;

/**
 * Who drains a queue. Remembers it where one workflow alone does, which is the usual case: no turns to keep, and
 * `take_queue_batches` itself checks queue, workflow, version and room. So what is out of date takes nothing wrong.
 */
export class QueueConsumers {
  readonly #database: Database;
  readonly #sole = new LRUCache<string, WorkflowHead>({ max: MAX_QUEUES, ttl: REMEMBERED_MS });
  /** Counts what was forgotten: a read that ran meanwhile is not remembered. */
  #forgotten = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The one workflow that drains the queue, if it is known. */
  sole(workspaceId: string, queueId: string): WorkflowHead | undefined {
    const head = this.#sole.get(queueId);
    return head?.workspaceId === workspaceId ? head : undefined;
  }

  /** The workflows that may drain the queue now, the longest waiting first. */
  async read(workspaceId: string, queueId: string): Promise<WorkflowHead[]> {
    const before = this.#forgotten;
    const heads = await readConsumers(this.#database, workspaceId, queueId);
    const [head] = heads;
    if (head && heads.length === 1 && before === this.#forgotten) this.#sole.set(queueId, head);
    else this.#sole.delete(queueId);
    return heads;
  }

  /** Its workflows have changed, or may have. */
  forget(queueId: string): void {
    this.#forgotten += 1;
    this.#sole.delete(queueId);
  }
}
