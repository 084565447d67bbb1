import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { type ReleasedExecution, releaseHeld } from '../../prisma/store/execution/releaseHeld.ts';
import type { Engine } from '../engine.ts';
import { EngineAway } from '../engineAway.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';
import { rowByRow } from '../rowByRow.ts';
import type { Starter } from './starter.ts';

export interface ReleaserOptions {
  database: Database;
  engine: Engine;
  starter: Starter;
  feed: ChangeFeed;
  log: Logger;
}

/** Executions per batch: this many wait for the reconciler if the process dies. */
const BATCH = 100;

/** Releases held executions. The database decides which ones; the reconciler repeats lost releases. */
export class Releaser {
  readonly #options: ReleaserOptions;
  readonly #releasing = new Set<Promise<void>>();
  #stopped = false;

  constructor(options: ReleaserOptions) {
    this.#options = options;
  }

  /** Resolves after the first batch; the rest continues in the background. Throws if the database is unavailable. */
  async release(workspaceId: string, workflowId: string): Promise<void> {
    if (await this.#releaseBatch(workspaceId, workflowId)) this.releaseBehind(workspaceId, workflowId);
  }

  releaseBehind(workspaceId: string, workflowId: string): void {
    const releasing = this.#releaseAll(workspaceId, workflowId).catch((error: unknown) => {
      this.#options.log.warn({ err: error, workflowId }, 'held executions are released later');
    });
    this.#releasing.add(releasing);
    void releasing.finally(() => this.#releasing.delete(releasing));
  }

  /** Resolves when no release is running. Leaves the rest of long lines to other processes. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#releasing);
  }

  async #releaseAll(workspaceId: string, workflowId: string): Promise<void> {
    while (!this.#stopped && (await this.#releaseBatch(workspaceId, workflowId)));
  }

  async #releaseBatch(workspaceId: string, workflowId: string): Promise<boolean> {
    const { database, feed, log } = this.#options;
    const released = await releaseHeld(database, workspaceId, workflowId, BATCH);
    await rowByRow(log, released, async (row) => {
      const { executionId, revision } = row;
      feed.publish({ executionId, revision, status: 'PENDING', responded: false });
      await this.#start(row);
    });
    return released.length === BATCH;
  }

  async #start(row: ReleasedExecution): Promise<void> {
    const { starter, engine, log } = this.#options;
    if (row.starterId === null) {
      await starter.startAccepted(row);
      return;
    }
    // Its starter begins it as its child. If that has not happened yet, the child will find itself not held.
    try {
      await engine.release(row.executionId);
    } catch (error) {
      const { executionId } = row;
      log.warn(
        { executionId, ...(error instanceof EngineAway ? {} : { err: error }) },
        'the engine learns of a release later',
      );
    }
  }
}
