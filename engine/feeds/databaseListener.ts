import pg from 'pg';
import type { Logger } from 'pino';
import { KEEP_ALIVE_AFTER_MS } from '../../prisma/client.ts';

export interface ListenerOptions {
  url: string;
  /** Handlers of notifications, by channel. */
  channels: Readonly<Record<string, (payload: string) => void>>;
  log: Logger;
}

const RECONNECT_MS = 1_000;
/** Time to connect, and to say that it listens. */
const ANSWER_MS = 10_000;

/**
 * Listens for NOTIFY of all processes on its own connection, and reconnects when that breaks. Notifications in between
 * are lost: each subscriber must also poll.
 */
export class DatabaseListener {
  readonly #options: ListenerOptions;
  #client: pg.Client | undefined;
  #reconnect: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    void this.#listen();
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
      this.#reconnect = setTimeout(() => void this.#listen(), RECONNECT_MS);
    };
    this.#client = client;
    client.on('error', again);
    client.on('end', again);
    client.on('notification', ({ channel, payload = '' }) => channels[channel]?.(payload));
    try {
      await client.connect();
      for (const channel of Object.keys(channels)) await client.query(`LISTEN ${channel}`);
    } catch (error) {
      log.warn({ err: error }, 'LISTEN failed: changes of other processes are found by polling until it is back');
      await client.end().catch(() => undefined);
      again();
    }
  }
}
