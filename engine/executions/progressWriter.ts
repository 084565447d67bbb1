import type { Database } from '../../prisma/client.ts';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';
import { type GroupLimits, groupSize, joined, mayShare } from '../../prisma/store/execution/progressGroup.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import { type Change, recordProgress } from '../../prisma/store/execution/recordProgress.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';

export interface WriterLimits extends GroupLimits {
  /** After a combined statement, the next one waits at most this long for further writes, milliseconds. */
  gatherMs: number;
}

/** A combined statement waits for a quarter of the loop's concurrency; the other iterations run meanwhile. */
const PART = 4;

interface Waiting {
  write: ProgressWrite;
  /** This many combined writes justify a short wait. */
  worth: number;
  resolve(change: Change | undefined): void;
  reject(error: unknown): void;
}

interface Queue {
  waiting: Waiting[];
  enough?: { count: number; go(): void };
}

/**
 * Combines writes of one execution that arrive during a statement in the next one (group commit), because they would
 * wait for its row's lock anyway. After a combined statement it gathers a part of the loop's concurrency. If one fails,
 * each write is repeated alone, so that an error reaches only its own caller.
 */
export class ProgressWriter {
  readonly #database: Database;
  readonly #feed: ChangeFeed;
  readonly #limits: WriterLimits;
  /** Queued writes by execution. An execution in this map has a running statement, or gathers. */
  readonly #queues = new Map<string, Queue>();

  constructor(database: Database, feed: ChangeFeed, limits: WriterLimits) {
    this.#database = database;
    this.#feed = feed;
    this.#limits = limits;
  }

  /** Writes and publishes a change; undefined if the execution has ended. `atOnce`: the loop's known concurrency. */
  async record(
    workspaceId: string,
    executionId: string,
    write: ProgressWrite,
    atOnce = 1,
  ): Promise<Change | undefined> {
    const change = mayShare(write)
      ? await this.#share(workspaceId, executionId, write, atOnce)
      : await recordProgress(this.#database, workspaceId, executionId, write);
    if (change) this.#feed.publish(change);
    return change;
  }

  #share(workspaceId: string, executionId: string, write: ProgressWrite, atOnce: number): Promise<Change | undefined> {
    return new Promise((resolve, reject) => {
      const key = `${workspaceId}/${executionId}`;
      const waiting = { write, resolve, reject, worth: Math.ceil(atOnce / PART) };
      const queue = this.#queues.get(key);
      if (queue) {
        queue.waiting.push(waiting);
        if (queue.enough && queue.waiting.length >= queue.enough.count) queue.enough.go();
        return;
      }
      const own = { waiting: [waiting] };
      this.#queues.set(key, own);
      void this.#writeAll(workspaceId, executionId, own, () => this.#queues.delete(key));
    });
  }

  async #writeAll(workspaceId: string, executionId: string, queue: Queue, done: () => void): Promise<void> {
    const { waiting } = queue;
    while (waiting.length > 0) {
      const size = groupSize(
        waiting.map(({ write }) => write),
        this.#limits,
      );
      const group = waiting.splice(0, size);
      await this.#writeGroup(workspaceId, executionId, group);
      const worth = Math.min(Math.max(...group.map((each) => each.worth)), this.#limits.writes);
      if (size > 1 && waiting.length < worth) await this.#gather(queue, worth);
    }
    done();
  }

  async #gather(queue: Queue, count: number): Promise<void> {
    await new Promise<void>((go) => {
      const timer = setTimeout(go, this.#limits.gatherMs);
      queue.enough = {
        count,
        go() {
          clearTimeout(timer);
          go();
        },
      };
    });
    delete queue.enough;
  }

  async #writeGroup(workspaceId: string, executionId: string, group: readonly Waiting[]): Promise<void> {
    try {
      const write = joined(group.map((each) => each.write));
      const change = await recordProgress(this.#database, workspaceId, executionId, write);
      for (const { resolve } of group) resolve(change);
    } catch (error) {
      const isShared = group.length > 1 && !isDatabaseUnavailable(error);
      for (const each of group) {
        if (isShared) await this.#writeGroup(workspaceId, executionId, [each]);
        else each.reject(error);
      }
    }
  }
}
