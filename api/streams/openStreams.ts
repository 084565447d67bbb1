import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { AccessFeed } from '../../engine/feeds/accessFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { credentialKeyOf, presentCallers } from '../access/authenticate.ts';
import type { Caller } from '../access/caller.ts';

/** Concurrent checks of a workspace, fewer than the connections of a small pool. */
export const CHECKS_AT_ONCE = 4;

export interface OpenStream {
  caller: Caller;
  isAllowed(caller: Caller): boolean | Promise<boolean>;
  end(): void;
}

export interface OpenStreamsOptions {
  database: Database;
  accessFeed: AccessFeed;
  /** Interval of checks of every caller, for lost notifications and expired credentials. */
  recheckMs: number;
  log: Logger;
}

/** Open event streams by workspace, each of which ends when its caller loses access. */
export class OpenStreams {
  readonly #options: OpenStreamsOptions;
  readonly #streams = new Map<string, Set<OpenStream>>();
  /** Workspaces being checked; true: check again, because of another notification. */
  readonly #checking = new Map<string, boolean>();
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #news = 0;

  constructor(options: OpenStreamsOptions) {
    this.#options = options;
    this.#unsubscribe = options.accessFeed.subscribe((workspaceId) => {
      this.#news += 1;
      void this.#check(workspaceId);
    });
    this.#timer = setInterval(() => {
      for (const workspaceId of this.#streams.keys()) void this.#check(workspaceId);
    }, options.recheckMs);
    this.#timer.unref();
  }

  get news(): number {
    return this.#news;
  }

  /** Call the returned function when the stream has ended. Notifications since `news` may concern it. */
  add(stream: OpenStream, news: number): () => void {
    const { workspaceId } = stream.caller;
    const streams = this.#streams.get(workspaceId) ?? new Set();
    this.#streams.set(workspaceId, streams.add(stream));
    if (news !== this.#news) void this.#check(workspaceId);
    return () => {
      streams.delete(stream);
      if (streams.size === 0 && this.#streams.get(workspaceId) === streams) this.#streams.delete(workspaceId);
    };
  }

  stop(): void {
    this.#unsubscribe();
    clearInterval(this.#timer);
  }

  async #check(workspaceId: string): Promise<void> {
    if (this.#checking.has(workspaceId)) {
      this.#checking.set(workspaceId, true);
      return;
    }
    do {
      this.#checking.set(workspaceId, false);
      await this.#endRevoked(workspaceId);
    } while (this.#checking.get(workspaceId));
    this.#checking.delete(workspaceId);
  }

  async #endRevoked(workspaceId: string): Promise<void> {
    const { database, log } = this.#options;
    const streams = [...(this.#streams.get(workspaceId) ?? [])];
    if (streams.length === 0) return;
    const endIfRevoked = async (present: ReadonlyMap<string, Caller>, { caller, isAllowed, end }: OpenStream) => {
      const now = present.get(credentialKeyOf(caller));
      if (!now || !(await isAllowed(now))) end();
    };
    // The next check decides: an unavailable database ends no stream.
    const said = (error: unknown) =>
      log.warn({ err: error, workspaceId }, 'the access of a follower could not be checked');
    try {
      const callers = new Map(streams.map(({ caller }) => [credentialKeyOf(caller), caller]));
      const present = await presentCallers(database, workspaceId, [...callers.values()]);
      await pLimit(CHECKS_AT_ONCE).map(streams, (stream) => endIfRevoked(present, stream).catch(said));
    } catch (error) {
      said(error);
    }
  }
}
