import type { Logger } from 'pino';
import type { Catalogue } from '../../domain/app/manifest.ts';
import type { ReadLimits } from '../../domain/execution/readLimits.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { type Loops, readLoops } from '../../prisma/store/execution/readLoops.ts';
import { readSnapshot, type Snapshot } from '../../prisma/store/execution/readSnapshot.ts';
import { event, type FollowerStream, send } from '../streams/eventStream.ts';
import { Room } from '../streams/room.ts';
import { SharedRead } from '../streams/sharedRead.ts';
import { loopsOf, SentLoops } from './sentLoops.ts';
import { withIcons } from './withIcons.ts';

export interface ExecutionRoomOptions {
  database: Database;
  feed: ChangeFeed;
  catalogue: Catalogue;
  limits: ReadLimits;
  /** Maximum pause between reads while the execution changes quickly, milliseconds. Its end cuts the pause short. */
  maxPauseMs: number;
  log: Logger;
}

/** Characters from which a snapshot is resent only after changes outside loops, or rarely. */
const LARGE = 65_536;
/** Rarely means this multiple of the cost of a snapshot. */
const LARGE_PAUSE_FACTOR = 20;

interface LoadedState {
  snapshot: Snapshot;
  progress: string;
  /** Set if the snapshot is large or omits some. */
  loops: Loops | undefined;
  /** When the next snapshot is due if only steps inside loops changed. Epoch milliseconds. */
  dueAt: number;
}

interface Follower {
  /** Newest revision that was sent in full; -1 if none. */
  revision: number;
  /** Whether the first event was sent, which is a snapshot for a new follower. */
  hasBegun: boolean;
}

export class ExecutionRoom {
  readonly #options: ExecutionRoomOptions;
  readonly #workspaceId: string;
  readonly #executionId: string;
  readonly #room: Room<Follower>;
  readonly #reads: SharedRead<LoadedState | undefined>;
  /** The state that every follower has; later events are relative to it. */
  #basis: LoadedState | undefined;
  readonly #sentLoops: SentLoops;

  constructor(options: ExecutionRoomOptions, workspaceId: string, executionId: string) {
    this.#options = options;
    this.#workspaceId = workspaceId;
    this.#executionId = executionId;
    this.#sentLoops = new SentLoops(executionId);
    this.#reads = new SharedRead(() => this.#read());
    const { feed, maxPauseMs, log } = options;
    this.#room = new Room({
      follow: (changed) => feed.follow(executionId, ({ status }) => changed(isTerminal(status))),
      tell: () => this.#tell(),
      maxPauseMs,
      log,
      about: { executionId },
    });
  }

  get streams(): FollowerStream[] {
    return this.#room.streams;
  }

  /** As ExecutionFollowers.follow. The stream joins before the read, so that it misses no change. */
  async begin(stream: FollowerStream, lastRevision: number | undefined): Promise<boolean> {
    const follower: Follower = { revision: lastRevision ?? -1, hasBegun: false };
    await this.#room.join(stream, follower);
    const loaded = await this.#reads.fresh();
    if (!loaded) return false;
    const { snapshot } = loaded;
    if (!this.#basis) this.#loopNews(loaded);
    this.#basis ??= loaded;
    // A follower may name a revision that never existed.
    if (lastRevision !== undefined && lastRevision > snapshot.revision) follower.revision = snapshot.revision;
    // The follower has the totals of running loops, but not the steps up to that revision.
    if (loaded.loops && follower.revision === lastRevision) follower.revision = -1;
    // An ended execution sends only its end, which is a snapshot, too.
    if (isTerminal(snapshot.status)) send(stream, finished(snapshot), true);
    else send(stream, isNew(follower, snapshot) ? loaded.progress : ': nothing new\n\n');
    follower.hasBegun = true;
    return true;
  }

  left(stream: FollowerStream): boolean {
    return this.#room.left(stream);
  }

  keepAlive(): void {
    this.#room.sendBegun(event('heartbeat', {}));
  }

  /** Returns when changed steps inside loops that no event has sent are due. */
  async #tell(): Promise<number | undefined> {
    const before = this.#basis;
    if (before?.loops && Date.now() < before.dueAt && !this.#room.ended) {
      const loops = await this.#readLoops();
      if (loops && !isTerminal(loops.status) && loops.outside === before.loops.outside) {
        const news = this.#sentLoops.news(loops.revision, [], loops);
        if (news !== '') this.#room.sendBegun(news);
        return loops.revision > before.snapshot.revision ? before.dueAt : undefined;
      }
    }
    const loaded = await this.#reads.fresh();
    if (!loaded) return undefined;
    this.#basis = loaded;
    const { snapshot, progress } = loaded;
    const news = this.#loopNews(loaded);
    const last = isTerminal(snapshot.status);
    const end = last ? finished(snapshot) : '';
    for (const [stream, follower] of this.#room.followers) {
      const newToIt = isNew(follower, snapshot);
      follower.hasBegun ||= newToIt;
      const text = `${newToIt ? progress : ''}${news}${end}`;
      if (follower.hasBegun && text !== '') send(stream, text, last);
    }
    return undefined;
  }

  #loopNews({ snapshot, loops }: LoadedState): string {
    return this.#sentLoops.news(snapshot.revision, loopsOf(snapshot.executionPath), loops);
  }

  #readLoops(): Promise<Loops | undefined> {
    return readLoops(this.#options.database, this.#workspaceId, this.#executionId, this.#sentLoops.known);
  }

  async #read(): Promise<LoadedState | undefined> {
    const { database, catalogue, limits, maxPauseMs } = this.#options;
    const began = Date.now();
    const snapshot = await readSnapshot(database, this.#workspaceId, this.#executionId, limits);
    if (!snapshot) return undefined;
    const shown = { ...snapshot, executionPath: withIcons(catalogue, snapshot.executionPath) };
    const text = progress(shown);
    const loaded: LoadedState = { snapshot: shown, progress: text, loops: undefined, dueAt: 0 };
    const isPart = text.length >= LARGE || snapshot.stepsLeftOut !== undefined;
    if ((isPart && hasOpenLoop(snapshot)) || this.#sentLoops.known.position !== undefined) {
      loaded.loops = await this.#readLoops();
      loaded.dueAt = Date.now() + Math.min(LARGE_PAUSE_FACTOR * (Date.now() - began), maxPauseMs);
    }
    return loaded;
  }
}

function hasOpenLoop({ status, executionPath }: Snapshot): boolean {
  if (isTerminal(status) || !Array.isArray(executionPath)) return false;
  return executionPath.some((step) => isJsonObject(step) && step.iterations !== undefined && step.stoppedAt === null);
}

function isNew(follower: Follower, { revision }: Snapshot): boolean {
  if (revision <= follower.revision) return false;
  follower.revision = revision;
  return true;
}

function progress({ output: _, outputLink: _link, outputBytes: _bytes, ...snapshot }: Snapshot): string {
  return event('execution.progress', snapshot, snapshot.revision);
}

function finished({ pendingInput: _, ...snapshot }: Snapshot): string {
  return event('execution.finished', snapshot, snapshot.revision);
}
