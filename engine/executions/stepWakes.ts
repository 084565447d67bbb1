import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import {
  type ClaimedWait,
  claimWaits,
  deleteWaits,
  dueNow,
  type WhichWaits,
} from '../../prisma/store/execution/stepWaits.ts';
import type { Engine } from '../engine.ts';
import { rowByRow } from '../rowByRow.ts';

const BATCH = 100;
/** A signal without effect after this time was lost. */
export const AGAIN_MS = 10_000;

/** Wakes steps whose connection was authorized again, or whose agent no longer asks for an approval. */
export class StepWakes {
  readonly #database: Database;
  readonly #engine: Engine;
  readonly #log: Logger;

  constructor({ database, engine, log }: { database: Database; engine: Engine; log: Logger }) {
    this.#database = database;
    this.#engine = engine;
    this.#log = log;
  }

  /** Resolves once their rows are due; the reconciler sends the signals that this process misses. */
  async connectionAuthorized(workspaceId: string, connectionId: string): Promise<void> {
    await dueNow(this.#database, workspaceId, connectionId);
    this.#wakeSoon({ connectionId });
  }

  /** Wakes the steps that waited for an approval of this turn's task; the write that ended it made their rows due. */
  approvalEnded(runId: string): void {
    this.#wakeSoon({ runId });
  }

  #wakeSoon(which: WhichWaits): void {
    this.#wakeAll(which).catch((err: unknown) => this.#log.warn({ err, ...which }, 'steps that wait are woken later'));
  }

  async #wakeAll(which: WhichWaits): Promise<void> {
    while ((await this.#wakeSome({ ...which, ageMs: AGAIN_MS, limit: BATCH })) === BATCH);
  }

  wakeDue(buckets: readonly number[], limit: number): Promise<number> {
    return this.#wakeSome({ buckets, ageMs: AGAIN_MS, limit });
  }

  async #wakeSome(which: WhichWaits & { ageMs: number; limit: number }): Promise<number> {
    const claimed = await claimWaits(this.#database, which);
    const over: ClaimedWait[] = claimed.filter(({ isOver }) => isOver);
    const ready = claimed.filter(({ isOver, connectionStatus }) => !isOver && connectionStatus !== 'needsReconnect');
    await rowByRow(this.#log, ready, async (wait) => {
      // A step whose connection is back deletes the row itself, after it has checked the connection.
      if (!(await this.#wake(wait)) || wait.kind === 'approval') over.push(wait);
    });
    await deleteWaits(this.#database, over);
    return claimed.length;
  }

  /** Another agent may have called the asking one: its turn is signalled before the step. */
  async #wake(wait: ClaimedWait): Promise<boolean> {
    if (wait.callerRunId !== null) await this.#engine.wakeTurn(wait.callerRunId);
    return this.#engine.wakeStep(wait);
  }
}
