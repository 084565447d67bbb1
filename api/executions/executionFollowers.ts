import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Catalogue } from '../../domain/app/manifest.ts';
import type { ReadLimits } from '../../domain/execution/readLimits.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import type { ChangeFeed } from '../../engine/changeFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { readSnapshot, type Snapshot } from '../../prisma/store/execution/readSnapshot.ts';
import { withIcons } from './withIcons.ts';

export interface FollowersOptions {
  database: Database;
  feed: ChangeFeed;
  catalogue: Catalogue;
  limits: ReadLimits;
  heartbeatMs: number;
  log: Logger;
}

/** What a slow follower may leave unread before it is let go; it comes back with Last-Event-ID. Bytes. */
const MOST_UNREAD = 8_388_608;
const READ_AGAIN_MS = 1_000;

/** One execution that is followed: its followers share one subscription and one read for each change. */
interface Room {
  workspaceId: string;
  executionId: string;
  /** With the newest revision that each was told. */
  followers: Map<PassThrough, number>;
  reading: boolean;
  stale: boolean;
  leave: () => void;
}

/** Streams of `text/event-stream` over executions (decisions.md 4, "Stream events"). */
export class ExecutionFollowers {
  readonly #options: FollowersOptions;
  readonly #rooms = new Map<string, Room>();
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: FollowersOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#beat(), options.heartbeatMs);
    this.#heartbeat.unref();
  }

  /**
   * Begins with a snapshot, unless the follower has `lastRevision` already. Undefined when the workspace has no
   * such execution. The stream ends after `execution.finished`; destroy it to stop.
   */
  async follow(workspaceId: string, executionId: string, lastRevision?: number): Promise<Readable | undefined> {
    const room = this.#rooms.get(executionId) ?? this.#open(workspaceId, executionId);
    if (room.workspaceId !== workspaceId) return undefined;
    const stream = new PassThrough();
    // Joined before the read: a change in between finds the follower.
    room.followers.set(stream, lastRevision ?? -1);
    stream.once('close', () => this.#left(room, stream));
    const snapshot = await this.#read(room).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    if (!snapshot) {
      stream.destroy();
      return undefined;
    }
    // A follower may name a revision that never was.
    if (lastRevision !== undefined && lastRevision > snapshot.revision) room.followers.set(stream, snapshot.revision);
    if (isTerminal(snapshot.status)) send(stream, finished(snapshot), true);
    else if (isNew(room, stream, snapshot)) send(stream, progress(snapshot));
    else send(stream, ': nothing new\n\n');
    return stream;
  }

  /** Ends every stream: clients come back elsewhere with Last-Event-ID. */
  stop(): void {
    clearInterval(this.#heartbeat);
    for (const room of this.#rooms.values()) for (const stream of room.followers.keys()) stream.end();
  }

  #open(workspaceId: string, executionId: string): Room {
    const room: Room = {
      workspaceId,
      executionId,
      followers: new Map(),
      reading: false,
      stale: false,
      leave: () => undefined,
    };
    room.leave = this.#options.feed.subscribe(executionId, () => void this.#tell(room));
    this.#rooms.set(executionId, room);
    return room;
  }

  #left(room: Room, stream: PassThrough): void {
    room.followers.delete(stream);
    if (room.followers.size > 0 || this.#rooms.get(room.executionId) !== room) return;
    room.leave();
    this.#rooms.delete(room.executionId);
  }

  /** Changes that come while one is read are told together. */
  async #tell(room: Room): Promise<void> {
    if (room.reading) {
      room.stale = true;
      return;
    }
    room.reading = true;
    try {
      do {
        room.stale = false;
        const snapshot = await this.#readPatiently(room);
        if (!snapshot) continue;
        const last = isTerminal(snapshot.status);
        const text = last ? `${progress(snapshot)}${finished(snapshot)}` : progress(snapshot);
        for (const stream of room.followers.keys()) if (isNew(room, stream, snapshot)) send(stream, text, last);
      } while (room.stale);
    } finally {
      room.reading = false;
    }
  }

  /** The feed tells a revision once, so what it told of is read however long the database is away. */
  async #readPatiently(room: Room): Promise<Snapshot | undefined> {
    while (room.followers.size > 0) {
      try {
        return await this.#read(room);
      } catch (error) {
        const { executionId } = room;
        this.#options.log.warn({ err: error, executionId }, 'a followed execution could not be read');
        await sleep(READ_AGAIN_MS, undefined, { ref: false });
      }
    }
    return undefined;
  }

  async #read(room: Room): Promise<Snapshot | undefined> {
    const { database, catalogue, limits } = this.#options;
    const snapshot = await readSnapshot(database, room.workspaceId, room.executionId, limits);
    if (!snapshot) return undefined;
    return { ...snapshot, executionPath: withIcons(catalogue, snapshot.executionPath) };
  }

  #beat(): void {
    for (const room of this.#rooms.values()) {
      for (const stream of room.followers.keys()) send(stream, event('heartbeat', {}));
    }
  }
}

/** Whether the follower has not been told this revision; it is, from now on. */
function isNew({ followers }: Room, stream: PassThrough, { revision }: Snapshot): boolean {
  if (revision <= (followers.get(stream) ?? -1)) return false;
  followers.set(stream, revision);
  return true;
}

function send(stream: PassThrough, text: string, last = false): void {
  if (stream.destroyed || stream.writableEnded) return;
  if (stream.writableLength > MOST_UNREAD) {
    stream.destroy();
    return;
  }
  stream.write(text);
  if (last) stream.end();
}

function progress({ output: _, outputLink: _link, outputBytes: _bytes, ...snapshot }: Snapshot): string {
  return event('execution.progress', snapshot, snapshot.revision);
}

function finished({ pendingInput: _, ...snapshot }: Snapshot): string {
  return event('execution.finished', snapshot, snapshot.revision);
}

function event(name: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
