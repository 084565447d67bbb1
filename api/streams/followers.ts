import type { Readable } from 'node:stream';
import { FollowerStream, type UnreadBytes } from './eventStream.ts';

export interface FollowedRoom {
  readonly streams: readonly FollowerStream[];
  /** Returns true for the last follower: the room is closed. */
  left(stream: FollowerStream): boolean;
  keepAlive(): void;
}

/** Rooms by resource: the first follower opens one, the last one closes it. */
export class Followers<R extends FollowedRoom> {
  readonly #open: (workspaceId: string, id: string) => R;
  readonly #rooms = new Map<string, R>();
  readonly #keepAlive: NodeJS.Timeout;
  readonly #unread: UnreadBytes;

  constructor(open: (workspaceId: string, id: string) => R, keepAliveMs: number, unread: UnreadBytes) {
    this.#open = open;
    this.#unread = unread;
    this.#keepAlive = setInterval(() => {
      for (const room of this.#rooms.values()) room.keepAlive();
    }, keepAliveMs);
    this.#keepAlive.unref();
  }

  /** Undefined if there is no such resource. Destroy the stream, or abort `gone`, to stop. */
  async follow(
    workspaceId: string,
    id: string,
    begin: (room: R, stream: FollowerStream) => Promise<boolean>,
    gone?: AbortSignal,
  ): Promise<Readable | undefined> {
    // By workspace: a simultaneous request of another one makes its own read, which finds nothing.
    const key = `${workspaceId}/${id}`;
    const room = this.#rooms.get(key) ?? this.#open(workspaceId, id);
    this.#rooms.set(key, room);
    const stream = new FollowerStream(this.#unread);
    stream.once('close', () => {
      if (room.left(stream) && this.#rooms.get(key) === room) this.#rooms.delete(key);
    });
    if (gone?.aborted) stream.destroy();
    gone?.addEventListener('abort', () => stream.destroy(), { once: true });
    const isThere = await begin(room, stream).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    if (isThere) return stream;
    stream.destroy();
    return undefined;
  }

  get count(): number {
    return [...this.#rooms.values()].reduce((sum, { streams }) => sum + streams.length, 0);
  }

  stop(): void {
    clearInterval(this.#keepAlive);
    for (const room of this.#rooms.values()) for (const stream of room.streams) stream.end();
  }
}
