import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Catalogue } from '../../domain/app/manifest.ts';
import type { ReadLimits } from '../../domain/execution/readLimits.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { ChangeFeed } from '../../engine/changeFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { type LoopProgress, type Loops, readLoops } from '../../prisma/store/execution/readLoops.ts';
import { readSnapshot, type Snapshot } from '../../prisma/store/execution/readSnapshot.ts';
import { SharedRead } from './sharedRead.ts';
import { withIcons } from './withIcons.ts';

export interface FollowersOptions {
  database: Database;
  feed: ChangeFeed;
  catalogue: Catalogue;
  limits: ReadLimits;
  /** The longest pause between two reads of what changes quickly; its end is told at once. Milliseconds. */
  mostPauseMs: number;
  heartbeatMs: number;
  log: Logger;
}

/** What a slow follower may leave unread before it is let go; it comes back with Last-Event-ID. Bytes. */
const MOST_UNREAD = 8_388_608;

const READ_AGAIN_MS = 1_000;
/** After a read comes a pause of so many times its length: following costs a share of the time, however much changes. */
const PAUSE_FACTOR = 3;
/** A snapshot from this size on is told anew only when something outside loops changed, or seldom. Characters. */
const LARGE = 65_536;
/** How seldom: so many times the cost of a snapshot. */
const LARGE_PAUSE_FACTOR = 20;

/** What was last told in full. */
interface Told {
  snapshot: Snapshot;
  progress: string;
  /** Of the loops at that time or told since. */
  loops: Loops | undefined;
  /** When the next one is due where only steps inside loops changed. Epoch milliseconds. */
  dueAt: number;
}

interface Follower {
  /** The newest revision that it was told in full; -1: none. */
  revision: number;
  /** It has its first event, which is a snapshot where one is new to it: nothing else comes before. */
  hasBegun: boolean;
}

/** One execution that is followed: its followers share one subscription and one read for each change. */
interface Room {
  workspaceId: string;
  executionId: string;
  followers: Map<PassThrough, Follower>;
  reads: SharedRead<Told | undefined>;
  /** What all followers know at least: changes are told from there. */
  basis: Told | undefined;
  telling: boolean;
  stale: boolean;
  /** A change said that the execution has ended: nothing waits any more. */
  ended: boolean;
  wake: () => void;
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
    // Of the workspace: what a stranger asks for at the same time is a read of its own, which finds nothing.
    const room = this.#rooms.get(keyOf({ workspaceId, executionId })) ?? this.#open(workspaceId, executionId);
    const stream = new PassThrough();
    // Joined before the read: a change in between finds the follower.
    const follower: Follower = { revision: lastRevision ?? -1, hasBegun: false };
    room.followers.set(stream, follower);
    stream.once('close', () => this.#left(room, stream));
    const told = await room.reads.fresh().catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    if (!told) {
      stream.destroy();
      return undefined;
    }
    const { snapshot } = told;
    room.basis ??= told;
    // A follower may name a revision that never was.
    if (lastRevision !== undefined && lastRevision > snapshot.revision) follower.revision = snapshot.revision;
    // Of running loops it knows totals, and not the steps up to that revision.
    if (told.loops && follower.revision === lastRevision) follower.revision = -1;
    if (isTerminal(snapshot.status)) send(stream, finished(snapshot), true);
    else if (isNew(follower, snapshot)) send(stream, told.progress);
    else send(stream, ': nothing new\n\n');
    follower.hasBegun = true;
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
      reads: new SharedRead(() => this.#read(room)),
      basis: undefined,
      telling: false,
      stale: false,
      ended: false,
      wake: () => undefined,
      leave: () => undefined,
    };
    room.leave = this.#options.feed.subscribe(executionId, ({ status }) => {
      room.stale = true;
      if (isTerminal(status)) {
        room.ended = true;
        room.wake();
      }
      if (!room.telling) void this.#tell(room);
    });
    this.#rooms.set(keyOf(room), room);
    return room;
  }

  #left(room: Room, stream: PassThrough): void {
    room.followers.delete(stream);
    if (room.followers.size > 0 || this.#rooms.get(keyOf(room)) !== room) return;
    room.leave();
    room.wake();
    this.#rooms.delete(keyOf(room));
  }

  /** Changes that come while one is read, or in the pause after it, are told together. The end is told at once. */
  async #tell(room: Room): Promise<void> {
    room.telling = true;
    while (room.stale && room.followers.size > 0) {
      room.stale = false;
      const began = Date.now();
      try {
        const behind = await this.#tellOnce(room);
        await this.#pause(room, PAUSE_FACTOR * (Date.now() - began));
        // Steps inside loops that were not told yet, and no further change: they are told when they are due.
        if (behind && !room.stale) {
          await this.#pause(room, (room.basis?.dueAt ?? 0) - Date.now());
          room.stale = true;
        }
      } catch (error) {
        const { executionId } = room;
        this.#options.log.warn({ err: error, executionId }, 'a followed execution could not be read');
        // The feed tells a revision once.
        room.stale = true;
        await sleep(READ_AGAIN_MS, undefined, { ref: false });
      }
    }
    room.telling = false;
  }

  async #pause(room: Room, ms: number): Promise<void> {
    if (room.ended || room.followers.size === 0 || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, this.#options.mostPauseMs));
      room.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    room.wake = () => undefined;
  }

  /** True when steps inside loops changed that no event has told. */
  async #tellOnce(room: Room): Promise<boolean> {
    const before = room.basis;
    if (before?.loops && Date.now() < before.dueAt && !room.ended) {
      const loops = await readLoops(this.#options.database, room.workspaceId, room.executionId);
      if (loops && !isTerminal(loops.status) && loops.outside === before.loops.outside) {
        const text = loopEvents(room.executionId, before.loops, loops);
        before.loops = loops;
        if (text !== '') sendBegun(room, text);
        return loops.revision > before.snapshot.revision;
      }
    }
    const told = await room.reads.fresh();
    if (!told) return false;
    room.basis = told;
    const { snapshot, progress } = told;
    const last = isTerminal(snapshot.status);
    const text = last ? `${progress}${finished(snapshot)}` : progress;
    for (const [stream, follower] of room.followers) {
      if (!isNew(follower, snapshot)) continue;
      follower.hasBegun = true;
      send(stream, text, last);
    }
    return false;
  }

  async #read(room: Room): Promise<Told | undefined> {
    const { database, catalogue, limits } = this.#options;
    const began = Date.now();
    const { workspaceId, executionId } = room;
    const snapshot = await readSnapshot(database, workspaceId, executionId, limits);
    if (!snapshot) return undefined;
    const shown = { ...snapshot, executionPath: withIcons(catalogue, snapshot.executionPath) };
    const text = progress(shown);
    const told: Told = { snapshot: shown, progress: text, loops: undefined, dueAt: 0 };
    if (text.length >= LARGE && hasOpenLoop(snapshot)) {
      told.loops = await readLoops(database, workspaceId, executionId);
      told.dueAt = Date.now() + Math.min(LARGE_PAUSE_FACTOR * (Date.now() - began), this.#options.mostPauseMs);
    }
    return told;
  }

  #beat(): void {
    for (const room of this.#rooms.values()) sendBegun(room, event('heartbeat', {}));
  }
}

function keyOf({ workspaceId, executionId }: Pick<Room, 'workspaceId' | 'executionId'>): string {
  return `${workspaceId}/${executionId}`;
}

function hasOpenLoop({ status, executionPath }: Snapshot): boolean {
  if (isTerminal(status) || !Array.isArray(executionPath)) return false;
  return executionPath.some((step) => isJsonObject(step) && step.iterations !== undefined && step.stoppedAt === null);
}

/** An event for each loop that went on. */
function loopEvents(executionId: string, before: Loops, now: Loops): string {
  const known = new Map(before.loops.map((loop) => [loop.nodeId, loop]));
  return now.loops
    .filter((loop) => !sameProgress(known.get(loop.nodeId), loop))
    .map(({ nodeId, completed, failed, total }) =>
      event(
        'loop.progress',
        { executionId, nodeId, completed, failed, ...(total === null ? {} : { total }) },
        now.revision,
      ),
    )
    .join('');
}

function sameProgress(one: LoopProgress | undefined, other: LoopProgress): boolean {
  return one?.completed === other.completed && one.failed === other.failed && one.total === other.total;
}

/** Whether the follower has not been told this revision; it is, from now on. */
function isNew(follower: Follower, { revision }: Snapshot): boolean {
  if (revision <= follower.revision) return false;
  follower.revision = revision;
  return true;
}

function sendBegun({ followers }: Room, text: string): void {
  for (const [stream, { hasBegun }] of followers) if (hasBegun) send(stream, text);
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
