import { PassThrough, type Readable } from 'node:stream';
import { type Beginning, TurnRoom, type TurnRoomOptions } from './turnRoom.ts';

export interface TurnFollowersOptions extends TurnRoomOptions {
  keepAliveMs: number;
}

/** Streams of `text/event-stream` over turns of agents, in the wire format of the `ai` package. */
export class TurnFollowers {
  readonly #options: TurnFollowersOptions;
  readonly #rooms = new Map<string, TurnRoom>();
  readonly #keepAlive: NodeJS.Timeout;

  constructor(options: TurnFollowersOptions) {
    this.#options = options;
    this.#keepAlive = setInterval(() => {
      for (const room of this.#rooms.values()) room.keepAlive();
    }, options.keepAliveMs);
    this.#keepAlive.unref();
  }

  /** Undefined when the workspace has no such turn. The stream ends with the turn; abort `gone` to stop. */
  async follow(workspaceId: string, runId: string, from: Beginning, gone?: AbortSignal): Promise<Readable | undefined> {
    const key = `${workspaceId}/${runId}`;
    const room = this.#rooms.get(key) ?? new TurnRoom(this.#options, workspaceId, runId);
    this.#rooms.set(key, room);
    const stream = new PassThrough();
    stream.once('close', () => {
      if (room.left(stream) && this.#rooms.get(key) === room) this.#rooms.delete(key);
    });
    if (gone?.aborted) stream.destroy();
    gone?.addEventListener('abort', () => stream.destroy(), { once: true });
    const isThere = await room.begin(stream, from).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    if (isThere) return stream;
    stream.destroy();
    return undefined;
  }

  /** Ends every stream: clients come back elsewhere. */
  stop(): void {
    clearInterval(this.#keepAlive);
    for (const room of this.#rooms.values()) for (const stream of room.streams) stream.end();
  }
}
