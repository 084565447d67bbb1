import type { Logger } from 'pino';
import type { ExecutionStatus } from '../../domain/execution/status.ts';
import type { Database } from '../../prisma/client.ts';
import { readStates } from '../../prisma/store/execution/readSnapshot.ts';
import type { Change } from '../../prisma/store/execution/recordProgress.ts';

type Listener = (change: Change) => void;

export interface ChangeFeedOptions {
  database: Database;
  /** How often waited-for executions are looked at, milliseconds. */
  pollMs: number;
  log: Logger;
}

/**
 * Notifies listeners of changed executions. Sources: events of this process, NOTIFY from other processes
 * (databaseListener.ts), and a slow poll of the executions with listeners, in case a notification was lost. A listener
 * gets each revision at most once, in order.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #listenersToAll = new Set<Listener>();
  readonly #poll: NodeJS.Timeout;
  #polling = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#poll = setInterval(() => void this.#lookAtAll(), options.pollMs);
    this.#poll.unref();
  }

  publish(change: Change): void {
    for (const listener of this.#listeners.get(change.executionId) ?? []) listener(change);
    for (const listener of this.#listenersToAll) listener(change);
  }

  /**
   * Changes of all executions, some more than once, written by this process and, if the database notifies, by others.
   * There is no poll behind it: a lost notification stays lost. Call the returned function to stop.
   */
  subscribeToAll(listener: Listener): () => void {
    this.#listenersToAll.add(listener);
    return () => void this.#listenersToAll.delete(listener);
  }

  /** Call the returned function to stop. Changes before this call are not delivered: read the row after subscribing. */
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

  stop(): void {
    clearInterval(this.#poll);
  }

  async #lookAtAll(): Promise<void> {
    if (this.#polling || this.#listeners.size === 0) return;
    this.#polling = true;
    try {
      const changes = await readStates(this.#options.database, [...this.#listeners.keys()]);
      for (const change of changes) this.publish(change);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the change feed could not read the database');
    } finally {
      this.#polling = false;
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
