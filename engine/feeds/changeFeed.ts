import type { Logger } from 'pino';
import type { ExecutionStatus } from '../../domain/execution/status.ts';
import type { Database } from '../../prisma/client.ts';
import { readStates } from '../../prisma/store/execution/readSnapshot.ts';
import type { Change } from '../../prisma/store/execution/recordProgress.ts';
import { continueFollowing, followRow } from '../../prisma/store/stream/follow.ts';

type Listener = (change: Change) => void;

export interface ChangeFeedOptions {
  database: Database;
  pollMs: number;
  /** No other process writes. */
  isAlone?: boolean;
  log: Logger;
}

export interface Following {
  /** Resolves when reads and listener together miss no change. Throws if the database is unavailable. */
  begun(): Promise<void>;
  stop(): void;
}

/** How long an execution's writes keep notifying of each change after its last follower has died. */
const FOLLOW_MS = 60_000;
const RENEW_MS = 20_000;

interface Followed {
  count: number;
  until: number;
  beginning: Promise<void> | undefined;
}

/**
 * Notifies by events of this process, NOTIFY from others (databaseListener.ts), and a slow poll in case a notification
 * was lost. A listener gets each revision at most once, in order. A write notifies only if its execution is followed,
 * or by its `notice` (prisma/migrations, notify_change). A follower registers in the row before it reads: the row's
 * lock orders that before or after each write.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #listenersToAll = new Set<Listener>();
  readonly #timers: NodeJS.Timeout[];
  #polling = false;
  /** Followers in this process by execution, and until when the row contains them, by this process's own clock. */
  readonly #followed = new Map<string, Followed>();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#timers = [
      setInterval(() => void this.#lookAtAll(), options.pollMs).unref(),
      setInterval(() => void this.#renew(), RENEW_MS).unref(),
    ];
  }

  publish(change: Change): void {
    for (const listener of this.#listeners.get(change.executionId) ?? []) listener(change);
    for (const listener of this.#listenersToAll) listener(change);
  }

  /** Delivers all changes, some twice; of other processes only if the database notifies. Lost ones stay lost. */
  subscribeToAll(listener: Listener): () => void {
    this.#listenersToAll.add(listener);
    return () => void this.#listenersToAll.delete(listener);
  }

  /** Delivers later changes: all of this process; of others all if followed, else those of their `notice`. */
  subscribe(executionId: string, listener: Listener): () => void {
    let newest = -1;
    const inOrder: Listener = (change) => {
      if (change.revision <= newest) return;
      newest = change.revision;
      listener(change);
    };
    const listeners = this.#listeners.get(executionId) ?? new Set();
    listeners.add(inOrder);
    this.#listeners.set(executionId, listeners);
    return () => {
      listeners.delete(inOrder);
      if (listeners.size === 0 && this.#listeners.get(executionId) === listeners) this.#listeners.delete(executionId);
    };
  }

  /** Delivers each change of an execution or a turn by any process. Read the row once it has `begun`. */
  follow(id: string, listener: Listener): Following {
    const unsubscribe = this.subscribe(id, listener);
    const followed = this.#followed.get(id) ?? { count: 0, until: 0, beginning: undefined };
    followed.count += 1;
    this.#followed.set(id, followed);
    let isOver = false;
    return {
      begun: async () => {
        if (this.#options.isAlone || followed.until > performance.now()) return;
        followed.beginning ??= this.#begin(id, followed).finally(() => {
          followed.beginning = undefined;
        });
        await followed.beginning;
      },
      stop: () => {
        if (isOver) return;
        isOver = true;
        unsubscribe();
        followed.count -= 1;
        if (followed.count === 0) this.#followed.delete(id);
      },
    };
  }

  /** Rewrites the followers and polls all, after lost notifications. */
  async again(): Promise<void> {
    await this.#renew();
    await this.#lookAtAll();
  }

  async look(executionIds: readonly string[]): Promise<void> {
    try {
      const changes = await readStates(this.#options.database, [...executionIds]);
      for (const change of changes) this.publish(change);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the change feed could not read the database');
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  async #lookAtAll(): Promise<void> {
    if (this.#polling || this.#listeners.size === 0) return;
    this.#polling = true;
    await this.look([...this.#listeners.keys()]);
    this.#polling = false;
  }

  async #begin(id: string, followed: Followed): Promise<void> {
    const until = performance.now() + FOLLOW_MS;
    await followRow(this.#options.database, id, FOLLOW_MS);
    followed.until = until;
  }

  /** Skips rows that are being written until the next time. Ended executions need no follower. */
  async #renew(): Promise<void> {
    if (this.#options.isAlone || this.#followed.size === 0) return;
    const until = performance.now() + FOLLOW_MS;
    try {
      const ids = await continueFollowing(this.#options.database, [...this.#followed.keys()], FOLLOW_MS);
      const lapsed: string[] = [];
      for (const id of ids) {
        const followed = this.#followed.get(id);
        if (!followed) continue;
        if (followed.until < performance.now()) lapsed.push(id);
        followed.until = until;
      }
      if (lapsed.length > 0) await this.look(lapsed);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'who follows executions could not be written; it is written again');
    }
  }

  /** `<id> <revision> <status> <responded>`, as recordProgress.ts writes it. */
  notified(payload: string): void {
    const [executionId, revision, status, responded] = payload.split(' ');
    if (!executionId) return;
    const change = { executionId, revision: Number(revision), status: status as ExecutionStatus };
    this.publish({ ...change, responded: responded === 'true' });
  }
}
