import type { Logger } from 'pino';
import { isOpen } from '../../domain/agent/runStatus.ts';
import type { ChangeFeed } from '../../engine/feeds/changeFeed.ts';
import type { Database } from '../../prisma/client.ts';
import { type FollowedGroup, type FollowedRun, readRunStream } from '../../prisma/store/turn/readRunStream.ts';
import { BrokenOff, type FollowerStream, send } from '../streams/eventStream.ts';
import { Room } from '../streams/room.ts';
import { SharedRead } from '../streams/sharedRead.ts';
import { endEvents, groupEvents, KEEP_ALIVE, keptEvents, markOf, startEvent, type TurnCursor } from './turnEvents.ts';

export interface TurnRoomOptions {
  database: Database;
  feed: ChangeFeed;
  maxPauseMs: number;
  log: Logger;
}

/** `message`: from its beginning; `turn`: from this turn's first chunk; cursor: after that event if it still exists. */
export type Beginning = 'message' | 'turn' | TurnCursor;

interface Follower {
  cursor: TurnCursor;
  /** By step (nameOf): the attempt whose chunks were sent. */
  attempts: Map<string, number>;
  hasBegun: boolean;
}

export class TurnRoom {
  readonly #options: TurnRoomOptions;
  readonly #workspaceId: string;
  readonly #runId: string;
  readonly #room: Room<Follower>;
  readonly #reads: SharedRead<FollowedRun | undefined>;
  /** All valid chunks read so far, oldest first. */
  #log: FollowedGroup[] = [];
  #sequence = 0;

  constructor(options: TurnRoomOptions, workspaceId: string, runId: string) {
    this.#options = options;
    this.#workspaceId = workspaceId;
    this.#runId = runId;
    this.#reads = new SharedRead(() => this.#read());
    const { maxPauseMs, log, feed } = options;
    this.#room = new Room({
      follow: (changed) => feed.follow(runId, ({ status }) => changed(status !== 'RUNNING' && status !== 'PENDING')),
      tell: () => this.#tell(),
      maxPauseMs,
      log,
      about: { runId },
    });
  }

  get streams(): FollowerStream[] {
    return this.#room.streams;
  }

  async begin(stream: FollowerStream, from: Beginning): Promise<boolean> {
    const cursor = typeof from === 'object' ? from : { sequence: 0, index: -1 };
    const follower: Follower = { cursor, attempts: new Map(), hasBegun: false };
    await this.#room.join(stream, follower);
    const run = await this.#reads.fresh();
    if (!run) return false;
    if (from === 'turn') follower.cursor = { sequence: run.firstSequence, index: -1 };
    if (isOfAnother(follower.cursor, run) || this.#isVoid(follower.cursor, run))
      follower.cursor = { sequence: 0, index: -1 };
    const continuesMessage = follower.cursor === from;
    let kept = '';
    if (!continuesMessage && from !== 'turn' && run.keptTo !== null) {
      kept = keptEvents(run);
      follower.cursor = { sequence: run.keptTo, index: -1 };
    }
    if (!continuesMessage) send(stream, startEvent(run) + kept);
    follower.hasBegun = true;
    this.#sendTo(stream, follower, run);
    return true;
  }

  left(stream: FollowerStream): boolean {
    return this.#room.left(stream);
  }

  keepAlive(): void {
    this.#room.sendBegun(KEEP_ALIVE);
  }

  async #tell(): Promise<undefined> {
    const run = await this.#reads.fresh();
    if (!run) {
      // Its task was deleted.
      for (const stream of this.streams) stream.end();
      return;
    }
    for (const [stream, follower] of this.#room.followers) {
      if (follower.hasBegun) this.#sendTo(stream, follower, run);
    }
  }

  async #read(): Promise<FollowedRun | undefined> {
    const { database } = this.#options;
    const run = await readRunStream(database, this.#workspaceId, this.#runId, this.#sequence);
    if (!run) return undefined;
    for (const group of run.groups) {
      this.#sequence = group.sequence;
      // Chunks of earlier attempts of the step are void.
      this.#log = this.#log.filter((each) => nameOf(each) !== nameOf(group) || each.attempt >= group.attempt);
      this.#log.push(group);
    }
    return run;
  }

  /** Whether the chunks that this follower received were replaced, so that it has to start again. */
  #isVoid({ sequence, index }: TurnCursor, { firstSequence, keptTo }: FollowedRun): boolean {
    if (index < 0) return false;
    // For an earlier turn whose chunks were deleted, later events are unknown.
    if (sequence < firstSequence) return keptTo !== null;
    return !this.#log.some((group) => group.sequence === sequence + 1);
  }

  /** A follower that received void chunks is disconnected: it resumes, and gets all chunks again. */
  #sendTo(stream: FollowerStream, follower: Follower, run: FollowedRun): void {
    let text = '';
    for (const group of this.#log) {
      const { sequence, step, attempt } = group;
      if (sequence <= follower.cursor.sequence) continue;
      const seen = follower.attempts.get(nameOf(group));
      if (seen !== undefined && seen < attempt && isOfModel(step)) {
        stream.destroy(new BrokenOff('The model is called again: discard the chunks of this step'));
        return;
      }
      follower.attempts.set(nameOf(group), attempt);
      text += groupEvents(group, follower.cursor, run);
      follower.cursor = { sequence, index: -1 };
    }
    const end = endEvents(run);
    if (text !== '' || end !== '') send(stream, text + end, !isOpen(run.status));
  }
}

function isOfAnother({ message }: TurnCursor, { messageId }: FollowedRun): boolean {
  return message !== undefined && message !== markOf(messageId);
}

function nameOf({ turn, step }: FollowedGroup): string {
  return `${turn}/${step}`;
}

/** Other chunks are results of calls and the end of a turn, which are never rewritten. */
function isOfModel(step: number): boolean {
  return step > 0 && step < 2_147_483_647;
}
