import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { followWorkspaces, haveEnded, openWrites } from '../../prisma/store/stream/follow.ts';

export interface FollowedWorkspacesOptions {
  database: Database;
  /** Changes may have been missed before this call, but none since. */
  missed: () => void;
  log: Logger;
}

/** How long a workspace's writes keep notifying of each change after its last follower has died. */
const FOLLOW_MS = 60_000;
const RENEW_MS = 20_000;
const AGAIN_MS = 1_000;
/** How long `add` waits for running writes; after longer ones `missed` is called. */
const PATIENCE_MS = 500;
const LOOK_MS = 10;

/**
 * A row lists the workspaces whose changes this process follows; only their writes notify of each change. A new
 * follower waits for writes that ran when the row was written, because they may not have seen it. If the row expired,
 * or was lost in a crash, `missed` is called once it is back.
 */
export class FollowedWorkspaces {
  readonly #options: FollowedWorkspacesOptions;
  /** Expiry by this process's own clock, measured before the write; 0: not written yet. */
  readonly #until = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FollowedWorkspacesOptions) {
    this.#options = options;
  }

  /** Resolves when each later write of the workspace notifies. Throws if the database is unavailable. */
  async add(workspaceId: string): Promise<void> {
    if ((this.#until.get(workspaceId) ?? 0) > performance.now()) return;
    this.#until.set(workspaceId, 0);
    this.#renewWithin(RENEW_MS);
    await this.#write([workspaceId]);
    await this.#settle();
  }

  remove(workspaceId: string): void {
    this.#until.delete(workspaceId);
    if (this.#until.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Rewrites the rows, which may have been lost together with notifications. */
  again(): void {
    for (const id of this.#until.keys()) this.#until.set(id, 0);
    if (this.#until.size > 0) this.#renewWithin(0);
  }

  #renewWithin(ms: number): void {
    if (this.#timer && ms > 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#renew(), ms);
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    this.#timer = undefined;
    const now = performance.now();
    const isAnyLost = [...this.#until.values()].some((until) => until <= now);
    let nextMs = RENEW_MS;
    try {
      await this.#write([...this.#until.keys()]);
      if (isAnyLost) {
        await this.#settle();
        this.#options.missed();
      }
    } catch (error) {
      this.#options.log.warn({ err: error }, 'that workspaces are followed could not be written; it is written again');
      nextMs = AGAIN_MS;
      // Stays lost until `missed` has been called.
      if (isAnyLost) for (const id of this.#until.keys()) this.#until.set(id, 0);
    }
    if (this.#until.size > 0) this.#renewWithin(nextMs);
  }

  async #write(ids: readonly string[]): Promise<void> {
    const until = performance.now() + FOLLOW_MS;
    await followWorkspaces(this.#options.database, ids, FOLLOW_MS);
    for (const id of ids) if (this.#until.has(id)) this.#until.set(id, until);
  }

  /** Waits for running writes; for longer ones, `missed` is called at their end. */
  async #settle(): Promise<void> {
    const { database } = this.#options;
    const open = await openWrites(database);
    if (open.length === 0) return;
    const until = performance.now() + PATIENCE_MS;
    while (!(await haveEnded(database, open))) {
      if (performance.now() > until) {
        void this.#late(open);
        return;
      }
      await sleep(LOOK_MS);
    }
  }

  async #late(open: readonly string[]): Promise<void> {
    const { database, missed, log } = this.#options;
    while (this.#until.size > 0) {
      await sleep(AGAIN_MS, undefined, { ref: false });
      try {
        if (await haveEnded(database, open)) return missed();
      } catch (error) {
        log.warn({ err: error }, 'whether long writes have ended could not be read; it is read again');
      }
    }
  }
}
