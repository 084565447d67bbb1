import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { releaseStartClaims, renewStartClaims } from '../../prisma/store/execution/startClaims.ts';

export interface StartClaimsOptions {
  database: Database;
  /** Called for starts that may not begin here: they have ended, or another process has begun them. */
  lost: (executionId: string) => void;
  log: Logger;
}

/** A claim lapses this long after its last renewal, plus SETTLING_MS (duties/duty.ts). */
const CLAIM_MS = 17_000;
/** A new row is left alone for SETTLING_MS, so a start that waits longer needs its first claim before. */
const FIRST_MS = 1_000;
const RENEW_MS = 8_000;
/** The engine has the start, and a busy worker may begin it late. */
const ACCEPTED_CLAIM_MS = 60_000;

/** Claims on this process's starts keep the reconciler from starting them. They lapse if the process dies. */
export class StartClaims {
  readonly #options: StartClaimsOptions;
  readonly #waiting = new Map<string, number>();
  readonly #accepted = new Map<string, number>();
  #isAway = false;

  constructor(options: StartClaimsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#accepted.size === 0;
  }

  hold(executionId: string): void {
    this.#waiting.set(executionId, performance.now() + FIRST_MS);
  }

  accept(executionId: string): void {
    const renewAt = this.#waiting.get(executionId);
    this.#waiting.delete(executionId);
    if (renewAt !== undefined) this.#accepted.set(executionId, renewAt);
  }

  letGo(executionId: string): void {
    this.#waiting.delete(executionId);
    this.#accepted.delete(executionId);
  }

  /** Renews the due claims, without a statement if there are none. The next call repeats a failed renewal. */
  async renew(): Promise<void> {
    const now = performance.now();
    const { database, lost, log } = this.#options;
    const due = (of: Map<string, number>) => [...of].flatMap(([id, at]) => (at <= now ? [id] : []));
    const [waiting, accepted] = [due(this.#waiting), due(this.#accepted)];
    try {
      if (waiting.length > 0) {
        const held = new Set(await renewStartClaims(database, waiting, CLAIM_MS));
        for (const id of waiting) {
          if (!held.has(id)) lost(id);
          else if (this.#waiting.has(id)) this.#waiting.set(id, now + RENEW_MS);
        }
      }
      if (accepted.length > 0) {
        await renewStartClaims(database, accepted, ACCEPTED_CLAIM_MS);
        for (const id of accepted) this.#accepted.delete(id);
      }
      this.#isAway = false;
    } catch (error) {
      if (!this.#isAway) log.warn({ err: error }, 'the claims of waiting starts could not be renewed');
      this.#isAway = true;
    }
  }

  async release(): Promise<void> {
    const { database, log } = this.#options;
    const ids = [...this.#waiting.keys()];
    this.#waiting.clear();
    this.#accepted.clear();
    if (ids.length === 0) return;
    await releaseStartClaims(database, ids).catch((error: unknown) =>
      log.warn({ err: error }, 'waiting starts are free when their claims lapse'),
    );
  }
}
