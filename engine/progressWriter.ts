import type { Database } from '../prisma/client.ts';
import { isDatabaseUnavailable } from '../prisma/databaseErrors.ts';
import { type GroupLimits, groupSize, joined, mayShare } from '../prisma/store/execution/progressGroup.ts';
import type { ProgressWrite } from '../prisma/store/execution/progressWrite.ts';
import { type Change, recordProgress } from '../prisma/store/execution/recordProgress.ts';
import type { ChangeFeed } from './changeFeed.ts';

export interface WriterLimits extends GroupLimits {
  /** Behind a statement of several, the next one waits at most so long for others to come, milliseconds. */
  gatherMs: number;
}

/** It waits until this part of what its loop runs at once has come: the others go on meanwhile. */
const PART = 4;

interface Waiting {
  write: ProgressWrite;
  /** So many writes together are worth a short wait. */
  worth: number;
  resolve(change: Change | undefined): void;
  reject(error: unknown): void;
}

interface Queue {
  waiting: Waiting[];
  /** While it gathers: goes on. */
  enough?: { count: number; go(): void };
}

/**
 * The writes of progress of one process. Those of one execution take its row's lock one after the other anyway, so
 * what comes from its iterations while one is under way goes together in the next statement (group commit), and is told
 * as one change. A write that comes alone goes at once; behind a statement of several, a part of what the loop runs at
 * once is gathered. Each caller gets its own answer: where a statement of several fails, each write is tried alone, so
 * that what is wrong with one is not told to the others.
 */
export class ProgressWriter {
  readonly #database: Database;
  readonly #feed: ChangeFeed;
  readonly #limits: WriterLimits;
  /** By execution: what comes next. One that is in here has a statement under way, or gathers. */
  readonly #queues = new Map<string, Queue>();

  constructor(database: Database, feed: ChangeFeed, limits: WriterLimits) {
    this.#database = database;
    this.#feed = feed;
    this.#limits = limits;
  }

  /**
   * Writes it and tells the change; as recordProgress, undefined when the execution has ended already. `atOnce`: of an
   * iteration, how many of them its loop runs side by side, as far as it is known.
   */
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

  /** `done` is called in the moment in which the queue is seen empty: what comes after it begins anew. */
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
