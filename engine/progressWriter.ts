import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../prisma/client.ts';
import { type GroupLimits, groupSize, joined, mayShare } from '../prisma/store/execution/progressGroup.ts';
import type { ProgressWrite } from '../prisma/store/execution/progressWrite.ts';
import { type Change, recordProgress } from '../prisma/store/execution/recordProgress.ts';
import { isDatabaseUnavailable } from '../prisma/unavailable.ts';
import type { ChangeFeed } from './changeFeed.ts';

export interface WriterLimits extends GroupLimits {
  /** Behind a statement of several, the next one of that execution waits so long for others to come, milliseconds. */
  gatherMs: number;
}

/** Fewer at a time are no crowd: nothing waits for others. */
const CROWD = 3;

interface Waiting {
  write: ProgressWrite;
  resolve(change: Change | undefined): void;
  reject(error: unknown): void;
}

/**
 * The writes of progress of one process. Those of one execution take its row's lock one after the other anyway, so
 * what comes from its iterations while one is under way goes together in the next statement (group commit), and is told
 * as one change. A write that comes alone goes at once. Each caller gets its own answer: where a statement of several
 * fails, each write is tried alone, so that what is wrong with one is not told to the others.
 */
export class ProgressWriter {
  readonly #database: Database;
  readonly #feed: ChangeFeed;
  readonly #limits: WriterLimits;
  /** By execution: what comes next. One that is in here has a statement under way, or waits for a crowd. */
  readonly #queues = new Map<string, Waiting[]>();

  constructor(database: Database, feed: ChangeFeed, limits: WriterLimits) {
    this.#database = database;
    this.#feed = feed;
    this.#limits = limits;
  }

  /** Writes it and tells the change; as recordProgress, undefined when the execution has ended already. */
  async record(workspaceId: string, executionId: string, write: ProgressWrite): Promise<Change | undefined> {
    const change = mayShare(write)
      ? await this.#share(workspaceId, executionId, write)
      : await recordProgress(this.#database, workspaceId, executionId, write);
    if (change) this.#feed.publish(change);
    return change;
  }

  #share(workspaceId: string, executionId: string, write: ProgressWrite): Promise<Change | undefined> {
    return new Promise((resolve, reject) => {
      const key = `${workspaceId}/${executionId}`;
      const waiting = { write, resolve, reject };
      const queue = this.#queues.get(key);
      if (queue) {
        queue.push(waiting);
        return;
      }
      const own = [waiting];
      this.#queues.set(key, own);
      void this.#writeAll(workspaceId, executionId, own, () => this.#queues.delete(key));
    });
  }

  /** `done` is called in the moment in which the queue is seen empty: what comes after it begins anew. */
  async #writeAll(workspaceId: string, executionId: string, queue: Waiting[], done: () => void): Promise<void> {
    const { writes, gatherMs } = this.#limits;
    while (queue.length > 0) {
      const size = groupSize(
        queue.map(({ write }) => write),
        this.#limits,
      );
      await this.#writeGroup(workspaceId, executionId, queue.splice(0, size));
      if (size >= CROWD && queue.length < writes) await delay(gatherMs);
    }
    done();
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
