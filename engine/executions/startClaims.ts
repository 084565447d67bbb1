import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { releaseStartClaims, renewStartClaims } from '../../prisma/store/execution/startClaims.ts';

export interface StartClaimsOptions {
  database: Database;
  /** Called for starts that may not begin any more: they have ended, or another process has begun them. */
  lost: (executionId: string) => void;
  log: Logger;
}

/** A claim lapses this long after its last renewal, and SETTLING_MS (duties/duty.ts). */
const CLAIM_MS = 17_000;
/** A row that was just written is left alone for SETTLING_MS, so a start that waits for longer needs its first claim. */
const FIRST_MS = 1_000;
const RENEW_MS = 8_000;
/** The engine has the start, and a busy worker may take long to come to it. */
const ACCEPTED_CLAIM_MS = 60_000;

/**
 * The claims of one process on the starts of its line, so that the reconciler does not start them too. A process that dies
 * renews none, and its claims lapse.
 */
export class StartClaims {
  readonly #options: StartClaimsOptions;
  /** When the claim of a start is renewed next. */
  readonly #waiting = new Map<string, number>();
  readonly #accepted = new Map<string, number>();
  #isAway = false;

  constructor(options: StartClaimsOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0 && this.#accepted.size === 0;
  }

  /** The start waits in the line, or is on its way. */
  hold(executionId: string): void {
    this.#waiting.set(executionId, performance.now() + FIRST_MS);
  }

  /** The engine has it: a last, longer claim, unless it has begun by then. */
  accept(executionId: string): void {
    const renewAt = this.#waiting.get(executionId);
    this.#waiting.delete(executionId);
    if (renewAt !== undefined) this.#accepted.set(executionId, renewAt);
  }

  letGo(executionId: string): void {
    this.#waiting.delete(executionId);
    this.#accepted.delete(executionId);
  }

  /** Renews the claims that are due; no statement if none is. A failed renewal is due again at the next call. */
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

  /** The process ends: others may take what still waits. */
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
