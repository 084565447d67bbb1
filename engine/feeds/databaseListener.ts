import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { KEEP_ALIVE_AFTER_MS } from '../../prisma/client.ts';

export interface ListenerOptions {
  url: string;
  channels: Readonly<Record<string, (payload: string) => void>>;
  /** Notifies by another connection, as writes do, to test whether this one receives notifications. */
  notify?: (channel: string, payload: string) => Promise<unknown>;
  log: Logger;
}

const RECONNECT_MS = 1_000;
const ANSWER_MS = 10_000;
const HEARD_MS = 5_000;
const HELLO = 'perdure_hello';

/** Listens for NOTIFY and reconnects. Notifications in between are lost, so each subscriber must also poll. */
export class DatabaseListener {
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #stopped = false;
  #hears = false;
  /** The test notification is missing: a pooler never delivers it, a stalled machine delivers it late. */
  #seemsDeaf = false;
  #hasListened = false;
  readonly #afterGaps = new Set<() => void>();

  constructor(options: ListenerOptions) {
    this.#options = options;
    void this.#listen();
  }

  /** Returns whether notifications arrive now, as far as known. */
  get hears(): boolean {
    return this.#hears;
  }

  /** Calls the listener after a gap in which notifications may have been lost. Call the returned function to stop. */
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
    // The connection only listens, so only keep-alive shows whether the other side is still there.
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

  /** Tests LISTEN and logs a failure: a transaction pooler accepts it, but delivers nothing. */
  async #checkHearing(client: pg.Client): Promise<void> {
    const { notify, log } = this.#options;
    if (!notify) return;
    const hello = randomUUID();
    let isHeard = false;
    const hears = ({ channel, payload }: pg.Notification) => {
      if (channel === HELLO && payload === hello) isHeard = true;
    };
    client.on('notification', hears);
    // The connection itself detects an unavailable database.
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
