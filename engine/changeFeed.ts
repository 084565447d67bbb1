import pg from 'pg';
import type { Logger } from 'pino';
import type { ExecutionStatus } from '../domain/execution/status.ts';
import { type Database, KEEP_ALIVE_AFTER_MS } from '../prisma/client.ts';
import { readChanges } from '../prisma/store/execution/readChanges.ts';
import { CHANGE_CHANNEL, type Change } from '../prisma/store/execution/recordProgress.ts';

type Listener = (change: Change) => void;

export interface ChangeFeedOptions {
  database: Database;
  /** To LISTEN on; absent where the database cannot (PGlite: one session). */
  listenUrl?: string;
  /** How often waited-for executions are looked at, milliseconds. */
  pollMs: number;
  log: Logger;
}

const RECONNECT_MS = 1_000;
/** Time to connect, and to say that it listens. */
const ANSWER_MS = 10_000;

/**
 * Tells who waits that an execution has changed: an event in process, NOTIFY from other processes, and a slow
 * poll of what is waited for as the net under both. A listener gets each revision at most once, in order.
 */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #listenersToAll = new Set<Listener>();
  readonly #poll: NodeJS.Timeout;
  #polling = false;
  #client: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#poll = setInterval(() => void this.#lookAtAll(), options.pollMs);
    this.#poll.unref();
    if (options.listenUrl) void this.#listen(options.listenUrl);
  }

  publish(change: Change): void {
    for (const listener of this.#listeners.get(change.executionId) ?? []) listener(change);
    for (const listener of this.#listenersToAll) listener(change);
  }

  /**
   * Changes of all executions, some more than once: those written in this process and, where the database tells, in
   * others. No net is under it. Call what is returned to stop.
   */
  subscribeToAll(listener: Listener): () => void {
    this.#listenersToAll.add(listener);
    return () => void this.#listenersToAll.delete(listener);
  }

  /** Call what is returned to stop. Changes before this call are not told: read the row after subscribing. */
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

  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#poll);
    clearTimeout(this.#reconnect);
    await this.#client?.end();
  }

  async #lookAtAll(): Promise<void> {
    if (this.#polling || this.#listeners.size === 0) return;
    this.#polling = true;
    try {
      const changes = await readChanges(this.#options.database, [...this.#listeners.keys()]);
      for (const change of changes) this.publish(change);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the change feed could not read the database');
    } finally {
      this.#polling = false;
    }
  }

  async #listen(url: string): Promise<void> {
    // It only hears: whether the other side is there still, nothing but keep-alive tells.
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    });
    const again = () => {
      if (this.#client !== client || this.#stopped) return;
      this.#client = undefined;
      this.#reconnect = setTimeout(() => void this.#listen(url), RECONNECT_MS);
    };
    this.#client = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ payload }) => this.#told(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANGE_CHANNEL}`);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the change feed cannot listen; it polls meanwhile');
      await client.end().catch(() => undefined);
      again();
    }
  }

  /** `<id> <revision> <status> <responded>`, as recordProgress.ts writes it. */
  #told(payload: string | undefined): void {
    const [executionId, revision, status, responded] = (payload ?? '').split(' ');
    if (!executionId) return;
    const change = { executionId, revision: Number(revision), status: status as ExecutionStatus };
    this.publish({ ...change, responded: responded === 'true' });
  }
}
