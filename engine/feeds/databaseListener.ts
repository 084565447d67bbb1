import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { KEEP_ALIVE_AFTER_MS } from '../../prisma/client.ts';

export interface ListenerOptions {
  url: string;
  /** Handlers of notifications, by channel. */
  channels: Readonly<Record<string, (payload: string) => void>>;
  /** Notifies by another connection, as writes do: what this one hears of it shows whether it listens at all. */
  notify?: (channel: string, payload: string) => Promise<unknown>;
  log: Logger;
}

const RECONNECT_MS = 1_000;
/** Time to connect, and to say that it listens. */
const ANSWER_MS = 10_000;
/** Time until it hears of a notification of this process. */
const HEARD_MS = 5_000;
const HELLO = 'perdure_hello';

/**
 * Listens for NOTIFY of all processes on its own connection, and reconnects when that breaks. Notifications in between
 * are lost: each subscriber must also poll.
 */
export class DatabaseListener {
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #stopped = false;
  #hears = false;
  /** Its own word did not come in time: behind a pooler nothing ever does, on a machine that stood still it comes late. */
  #seemsDeaf = false;
  /** It has listened before: what it begins again is a gap. */
  #hasListened = false;
  readonly #afterGaps = new Set<() => void>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    void this.#listen();
  }

  /** Whether notifications arrive now, as far as that is known. */
  get hears(): boolean {
    return this.#hears;
  }

  /**
   * The listener is called when it listens again after a time in which notifications may have been lost: they came before,
   * and none is lost any more. Call the returned function to stop.
   */
  afterGaps(listener: () => void): () => void {
    this.#afterGaps.add(listener);
    return () => void this.#afterGaps.delete(listener);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#reconnect);
    await this.#client?.end();
  }

  async #listen(): Promise<void> {
    const { url, channels, log } = this.#options;
    // The connection only listens: nothing but keep-alive shows whether the other side is still there.
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
      this.#hears = false;
      this.#seemsDeaf = false;
      this.#reconnect = setTimeout(() => void this.#listen(), RECONNECT_MS);
    };
    this.#client = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ channel, payload = '' }) => {
      if (this.#seemsDeaf && this.#client === client) this.#hearsAfterAll();
      channels[channel]?.(payload);
    });
    try {
      await client.connect();
      for (const channel of [...Object.keys(channels), HELLO]) await client.query(`LISTEN ${channel}`);
      this.#hears = true;
      if (this.#hasListened) for (const listener of this.#afterGaps) listener();
      this.#hasListened = true;
      void this.#checkHearing(client);
    } catch (error) {
      log.warn({ err: error }, 'LISTEN failed: changes of other processes are found by polling until it is back');
      await client.end().catch(() => undefined);
      again();
    }
  }

  #hearsAfterAll(): void {
    this.#seemsDeaf = false;
    this.#hears = true;
    this.#options.log.warn('LISTEN hears after all: database or process had stood still');
    for (const listener of this.#afterGaps) listener();
  }

  /** A pooler that gives each transaction another connection takes LISTEN, and lets nothing through: that is said. */
  async #checkHearing(client: pg.Client): Promise<void> {
    const { notify, log } = this.#options;
    if (!notify) return;
    const hello = randomUUID();
    let isHeard = false;
    const hears = ({ channel, payload }: pg.Notification) => {
      if (channel === HELLO && payload === hello) isHeard = true;
    };
    client.on('notification', hears);
    // A database that is away is seen by its connection.
    const isSent = await notify(HELLO, hello).then(
      () => true,
      () => false,
    );
    const until = Date.now() + HEARD_MS;
    while (!isHeard && Date.now() < until && this.#client === client && !this.#stopped) await sleep(50);
    client.off('notification', hears);
    if (isHeard || !isSent || this.#client !== client || this.#stopped) return;
    this.#hears = false;
    this.#seemsDeaf = true;
    log.warn(
      'LISTEN hears nothing: is there a pooler before the database? Changes of other processes are found by polling. Set DATABASE_LISTEN_URL to the database itself.',
    );
  }
}
