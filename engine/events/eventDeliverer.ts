import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { settleDelivery } from '../../prisma/store/eventDelivery/settleDelivery.ts';
import { type TakenDelivery, takeDeliveries } from '../../prisma/store/eventDelivery/takeDeliveries.ts';
import {
  claimSubscriptions,
  type HeldSubscription,
  releaseSubscription,
} from '../../prisma/store/eventSubscription/claimSubscriptions.ts';
import type { HeldBuckets } from '../duties/heldBuckets.ts';
import type { DueFeed } from '../feeds/dueFeed.ts';
import { OnePass } from '../onePass.ts';
import type { EventSender } from './eventSender.ts';

export interface DelivererOptions {
  database: Database;
  feed: DueFeed;
  sender: EventSender;
  /** Concurrent attempts per subscription. */
  atOnce: number;
  /** Subscriptions that this process holds at once; one workspace takes at most half. */
  subscriptionsAtOnce: number;
  /** Longer than an attempt takes. */
  leaseMs: number;
  drainMs: number;
  log: Logger;
  buckets: HeldBuckets;
}

/**
 * One process holds a subscription by a lease in its row while deliveries are due. So its concurrency is bounded, and
 * events of one subject are in order. After its death another one sends again with the same ids.
 */
export class EventDeliverer {
  readonly #options: DelivererOptions;
  readonly #holder = randomUUID();
  readonly #held = new Map<HeldSubscription, Promise<void>>();
  readonly #stop = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #pass = new OnePass(() =>
    this.#claim().catch((error: unknown) => this.#options.log.warn({ err: error }, 'events are delivered later')),
  );
  #news = arrival();
  #stopping = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
    this.#unsubscribe = options.feed.subscribe((workspaceId) => this.#wake(workspaceId));
  }

  /** Begins what is due. Throws if the database is unavailable. */
  async deliverDue(): Promise<void> {
    this.#tellHeld();
    await this.#claim();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#unsubscribe();
    await this.#pass.stop();
    this.#tellHeld();
    const abort = setTimeout(() => this.#stop.abort(), this.#options.drainMs);
    await Promise.all(this.#held.values());
    clearTimeout(abort);
  }

  #wake(workspaceId: string): void {
    this.#tellHeld();
    if (this.#options.buckets.has(workspaceId)) this.#pass.wake();
  }

  #tellHeld(): void {
    this.#news.resolve();
    this.#news = arrival();
  }

  async #claim(): Promise<void> {
    const { database, subscriptionsAtOnce, leaseMs } = this.#options;
    const limit = subscriptionsAtOnce - this.#held.size;
    if (limit <= 0 || this.#stopping) return;
    const ofWorkspaces = new Map<string, number>();
    for (const { workspaceId } of this.#held.keys()) {
      ofWorkspaces.set(workspaceId, (ofWorkspaces.get(workspaceId) ?? 0) + 1);
    }
    const mostOfWorkspace = Math.ceil(subscriptionsAtOnce / 2);
    const buckets = this.#options.buckets.list();
    const claim = { holder: this.#holder, buckets, limit, mostOfWorkspace, held: ofWorkspaces, leaseMs };
    for (const subscription of await claimSubscriptions(database, claim)) {
      this.#held.set(subscription, this.#deliverOf(subscription));
    }
  }

  /** Delivers until nothing is due, or another process has the subscription. Never rejects. */
  async #deliverOf(subscription: HeldSubscription): Promise<void> {
    const { database, log } = this.#options;
    const running = new Set<Promise<void>>();
    let { promise: news } = this.#news;
    let ended = 0;
    try {
      for (;;) {
        // Later writes resolve this promise.
        ({ promise: news } = this.#news);
        const endedBefore = ended;
        const taken = await this.#take(subscription, running.size);
        if (taken === undefined) break;
        for (const delivery of taken) {
          const attempt = this.#attempt(subscription, delivery).finally(() => {
            running.delete(attempt);
            ended += 1;
          });
          running.add(attempt);
        }
        if (this.#stopping) break;
        // The query may have missed deliveries that this end makes due.
        if (ended !== endedBefore) continue;
        if (running.size === 0) break;
        await Promise.race([...running, news]);
      }
      await Promise.all(running);
      await releaseSubscription(database, subscription, this.#holder);
    } catch (error) {
      log.warn({ err: error, subscriptionId: subscription.id }, 'its events are delivered later');
      await Promise.all(running);
    }
    this.#held.delete(subscription);
    // A write may have come between the last query and the release, or another subscription may wait for the place.
    if (news !== this.#news.promise || this.#held.size === this.#options.subscriptionsAtOnce - 1) this.#pass.wake();
  }

  async #take(subscription: HeldSubscription, running: number): Promise<TakenDelivery[] | undefined> {
    const { database, atOnce, leaseMs } = this.#options;
    if (running >= atOnce || this.#stopping) return [];
    return takeDeliveries(database, subscription, this.#holder, { limit: atOnce - running, leaseMs });
  }

  /** Never rejects: if the result is not stored, the event is sent again. */
  async #attempt(subscription: HeldSubscription, delivery: TakenDelivery): Promise<void> {
    const { database, sender, log } = this.#options;
    const { id, workspaceId } = subscription;
    const noted = { workspaceId, subscriptionId: id, deliveryId: delivery.id };
    const end = await sender.attempt(subscription, delivery, this.#stop.signal);
    const { statusCode, error: reason, outcome } = end;
    if (outcome !== 'delivered') log.info({ ...noted, statusCode, reason, outcome }, 'an event was not delivered');
    try {
      await settleDelivery(database, { id: delivery.id, workspaceId, subscriptionId: id }, delivery, end);
    } catch (error) {
      log.warn({ ...noted, err: error }, 'the end of a delivery was not stored: it is sent again');
    }
  }
}

function arrival(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
