import { PassThrough, type Readable } from 'node:stream';
import { event } from '../streams/eventStream.ts';
import { ExecutionRoom, type ExecutionRoomOptions } from './executionRoom.ts';

export interface FollowersOptions extends ExecutionRoomOptions {
  heartbeatMs: number;
}

/** Streams of `text/event-stream` over executions (decisions.md 4, "Stream events"). */
export class ExecutionFollowers {
  readonly #options: FollowersOptions;
  readonly #rooms = new Map<string, ExecutionRoom>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: FollowersOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs);
    this.#heartbeat.unref();
  }

  /**
   * Begins with a snapshot, unless the follower has `lastRevision` already. Undefined when the workspace has no
   * such execution. The stream ends after `execution.finished`; destroy it to stop, or abort `gone`, also before it is
   * handed out.
   */
  async follow(
    workspaceId: string,
    executionId: string,
    lastRevision?: number,
    gone?: AbortSignal,
  ): Promise<Readable | undefined> {
    // Of the workspace: what a stranger asks for at the same time is a read of its own, which finds nothing.
    const key = `${workspaceId}/${executionId}`;
    const room = this.#rooms.get(key) ?? new ExecutionRoom(this.#options, workspaceId, executionId);
    this.#rooms.set(key, room);
    const stream = new PassThrough();
    stream.once('close', () => {
      if (room.left(stream) && this.#rooms.get(key) === room) this.#rooms.delete(key);
    });
    if (gone?.aborted) stream.destroy();
    gone?.addEventListener('abort', () => stream.destroy(), { once: true });
    const isThere = await room.begin(stream, lastRevision).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    if (isThere) return stream;
    stream.destroy();
    return undefined;
  }

  /** Streams that are followed now. */
  get count(): number {
    return [...this.#rooms.values()].reduce((sum, { streams }) => sum + streams.length, 0);
  }

  /** Ends every stream: clients come back elsewhere with Last-Event-ID. */
  stop(): void {
    clearInterval(this.#heartbeat);
    for (const room of this.#rooms.values()) for (const stream of room.streams) stream.end();
  }

  #beat(): void {
    for (const room of this.#rooms.values()) room.sendBegun(event('heartbeat', {}));
  }
}
