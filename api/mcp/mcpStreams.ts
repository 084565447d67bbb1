import type { Readable } from 'node:stream';
import type { DueFeed } from '../../engine/feeds/dueFeed.ts';
import { FollowerStream, send, type UnreadBytes } from '../streams/eventStream.ts';

export interface McpStreamsOptions {
  toolFeed: DueFeed;
  unread: UnreadBytes;
  keepAliveMs: number;
  /** Several changes within this time are one notification. */
  gatherMs: number;
}

const LIST_CHANGED = `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n\n`;
const KEEP_ALIVE = ': keep-alive\n\n';

/** The streams on which clients learn that the tools of their workspace have changed. A lost one lists them again. */
export class McpStreams {
  readonly #options: McpStreamsOptions;
  readonly #streams = new Map<FollowerStream, string>();
  readonly #changed = new Set<string>();
  readonly #stopping = new AbortController();
  readonly #keepAlive: NodeJS.Timeout;
  readonly #unsubscribe: () => void;

  constructor(options: McpStreamsOptions) {
    this.#options = options;
    this.#unsubscribe = options.toolFeed.subscribe((workspaceId) => this.#gather(workspaceId));
    this.#keepAlive = setInterval(() => {
      for (const stream of this.#streams.keys()) send(stream, KEEP_ALIVE);
    }, options.keepAliveMs);
    this.#keepAlive.unref();
  }

  /** Aborts when the process stops: calls answer what they know. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  follow(workspaceId: string): Readable {
    const stream = new FollowerStream(this.#options.unread);
    this.#streams.set(stream, workspaceId);
    stream.once('close', () => this.#streams.delete(stream));
    send(stream, KEEP_ALIVE);
    return stream;
  }

  stop(): void {
    this.#unsubscribe();
    clearInterval(this.#keepAlive);
    this.#stopping.abort();
    for (const stream of this.#streams.keys()) stream.end();
  }

  #gather(workspaceId: string): void {
    if (this.#changed.has(workspaceId)) return;
    this.#changed.add(workspaceId);
    setTimeout(() => {
      this.#changed.delete(workspaceId);
      for (const [stream, its] of this.#streams) if (its === workspaceId) send(stream, LIST_CHANGED);
    }, this.#options.gatherMs).unref();
  }
}
