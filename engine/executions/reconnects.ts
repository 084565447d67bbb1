import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { type ConnectionWait, claimWaits, deleteWaits, dueNow } from '../../prisma/store/execution/connectionWaits.ts';
import type { Engine } from '../engine.ts';
import { rowByRow } from '../rowByRow.ts';

/** Rows of one statement. */
const BATCH = 100;
/** A signal that was sent this long ago, and has had no effect, was lost. */
export const AGAIN_MS = 10_000;

/** Wakes steps whose connection has been authorized again. */
export class Reconnects {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #log: Logger;

  constructor({ database, engine, log }: { database: Database; engine: Engine; log: Logger }) {
    this.#database = database;
    this.#engine = engine;
    this.#log = log;
  }

  /** Resolves once their rows are due; the reconciler signals those that this process does not reach. */
  async wake(workspaceId: string, connectionId: string): Promise<void> {
    await dueNow(this.#database, workspaceId, connectionId);
    this.#tellAll(connectionId).catch((err: unknown) =>
      this.#log.warn({ err, connectionId }, 'steps hear later that their connection is there again'),
    );
  }

  async #tellAll(connectionId: string): Promise<void> {
    while ((await this.#tell({ connectionId, ageMs: AGAIN_MS, limit: BATCH })) === BATCH);
  }

  /** Tells some whose signal was lost. Returns whether there may be more. */
  tellDue(buckets: readonly number[], limit: number): Promise<number> {
    return this.#tell({ buckets, ageMs: AGAIN_MS, limit });
  }

  async #tell(which: Parameters<typeof claimWaits>[1]): Promise<number> {
    const claimed = await claimWaits(this.#database, which);
    const over: ConnectionWait[] = claimed.filter(({ isOver }) => isOver);
    const ready = claimed.filter(({ isOver, connectionStatus }) => !isOver && connectionStatus !== 'needsReconnect');
    await rowByRow(this.#log, ready, async (wait) => {
      if (!(await this.#engine.signalReconnect(wait))) over.push(wait);
    });
    await deleteWaits(this.#database, over);
    return claimed.length;
  }
}
