import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { readReadyQueues } from '../../prisma/store/queue/consumedQueues.ts';
import type { HeldBuckets } from '../duties/heldBuckets.ts';
import type { Starter } from '../executions/starter.ts';
import { FairPlaces } from '../fairness/fairPlaces.ts';
import { OnePass } from '../onePass.ts';
import { QueueConsumers } from './queueConsumers.ts';
import type { QueueFeed } from './queueFeed.ts';

export interface QueueRunnerOptions {
  database: Database;
  starter: Starter;
  feed: QueueFeed;
  log: Logger;
  buckets: HeldBuckets;
}

/** Queues at once; one workspace takes at most half. */
const PASSES_AT_ONCE = 8;
const BATCHES = 20;

/**
 * The database decides which items are taken and how many batches run, so any number of processes may react to a
 * notification (queueFeed.ts). The reconciler visits every queue in turn, in case a notification was lost.
 */
export class QueueRunner {
  readonly #options: QueueRunnerOptions;
  readonly #places = new FairPlaces(PASSES_AT_ONCE);
  readonly #consumers: QueueConsumers;
  readonly #passes = new Map<string, OnePass>();
  readonly #unsubscribe: () => void;
  #stopped = false;

  constructor(options: QueueRunnerOptions) {
    this.#options = options;
    this.#consumers = new QueueConsumers(options.database);
    this.#unsubscribe = options.feed.subscribe(({ workspaceId, queueId, dueAt, consumersChanged }) => {
      if (consumersChanged) this.#consumers.forget(queueId);
      if (dueAt === undefined && options.buckets.has(workspaceId)) this.#wake(workspaceId, queueId);
    });
  }

  /** Drains the next `limit` queues after `after`. Returns the place to continue; undefined: at the first. */
  async lookAt(after: string, limit: number): Promise<string | undefined> {
    const { database, buckets } = this.#options;
    const { ready, last } = await readReadyQueues(database, { after, buckets: buckets.list(), limit });
    for (const { workspaceId, queueId } of ready) this.#wake(workspaceId, queueId);
    return last;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#places.open();
    await Promise.all([...this.#passes.values()].map((pass) => pass.stop()));
  }

  #wake(workspaceId: string, queueId: string): void {
    if (this.#stopped) return;
    const pass = this.#passes.get(queueId) ?? this.#passOf(workspaceId, queueId);
    this.#passes.set(queueId, pass);
    pass.wake();
  }

  #passOf(workspaceId: string, queueId: string): OnePass {
    const work = () =>
      this.#drain(workspaceId, queueId).catch((error: unknown) => {
        // The cached consumers may be the cause.
        this.#consumers.forget(queueId);
        this.#options.log.warn({ err: error, queueId }, 'a queue is drained later');
      });
    return new OnePass(work, () => this.#passes.delete(queueId));
  }

  async #drain(workspaceId: string, queueId: string): Promise<void> {
    await this.#places.enter(workspaceId);
    try {
      let hasMore = await this.#drainBySole(workspaceId, queueId);
      while (hasMore && !this.#stopped) {
        const heads = await this.#consumers.read(workspaceId, queueId);
        // The workflow that has waited longest gets one batch and goes to the end of the line.
        const most = heads.length === 1 ? BATCHES : 1;
        hasMore = false;
        for (const head of heads) {
          hasMore = (await this.#options.starter.startBatches(head, queueId, most)) === most;
          if (hasMore || this.#stopped) break;
        }
      }
    } finally {
      this.#places.leave(workspaceId);
    }
  }

  /** Drains by the cached sole workflow. True if the consumers must be read: unknown, nothing taken, or more left. */
  async #drainBySole(workspaceId: string, queueId: string): Promise<boolean> {
    const head = this.#consumers.sole(workspaceId, queueId);
    if (!head) return true;
    const taken = await this.#options.starter.startBatches(head, queueId, BATCHES);
    if (taken === 0) this.#consumers.forget(queueId);
    return taken === 0 || taken === BATCHES;
  }
}
