import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { followWorkspaces, haveEnded, openWrites } from '../../prisma/store/stream/follow.ts';

export interface FollowedWorkspacesOptions {
  database: Database;
  /** Changes may have been missed before this call, and none since. */
  missed: () => void;
  log: Logger;
}

/** So long the writes of a workspace notify of each change after its last follower has died. */
const FOLLOW_MS = 60_000;
const RENEW_MS = 20_000;
const AGAIN_MS = 1_000;
/** A beginning waits so long for writes that run; `missed` comes after longer ones. */
const PATIENCE_MS = 500;
const LOOK_MS = 10;

/**
 * The workspaces of which this process follows all changes. Only their writes notify of each, so a row says who is followed.
 * Whoever begins has nothing to read: it waits for the writes that ran when the row was written, for they may not have
 * seen it. A row that has expired, or was lost with a crash of the database, is `missed` once it is there again.
 */
export class FollowedWorkspaces {
  readonly #options: FollowedWorkspacesOptions;
  /** Until when, by this process's own clock, from before it wrote; 0: not written yet. */
  readonly #until = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: FollowedWorkspacesOptions) {
    this.#options = options;
  }

  /** Resolves when each write of the workspace from now on notifies. Throws if the database is away. */
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

  /** Notifications may have been lost, and what says who follows with them. */
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
      // What was lost is lost until `missed` has said so.
      if (isAnyLost) for (const id of this.#until.keys()) this.#until.set(id, 0);
    }
    if (this.#until.size > 0) this.#renewWithin(nextMs);
  }

  async #write(ids: readonly string[]): Promise<void> {
    const until = performance.now() + FOLLOW_MS;
    await followWorkspaces(this.#options.database, ids, FOLLOW_MS);
    for (const id of ids) if (this.#until.has(id)) this.#until.set(id, until);
  }

  /** Waits for writes that run now; where one runs for longer, `missed` comes when it has ended. */
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
