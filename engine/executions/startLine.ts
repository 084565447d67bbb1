import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Engine, ExecutionStart } from '../engine.ts';
import { EngineAway } from '../engineAway.ts';
import { FairGate } from '../fairness/fairGate.ts';
import { Shares } from '../fairness/shares.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';

export interface StartLineOptions {
  engine: Engine;
  feed: ChangeFeed;
  /** Starts of this process that are on their way, at most; of one workspace, half of them. */
  most: number;
  /** Longest wait of a caller for an execution, milliseconds. */
  patienceMs: number;
  /** Starts that wait in line, at most; of one workspace, half of them. */
  longest?: number;
  log: Logger;
}

/** The rows of more are enough: the reconciler comes back to them. */
const LONGEST_LINE = 20_000;
/** Starts of which it is remembered that the engine has them, and for how long. */
const MOST_KNOWN = 50_000;
const KNOWN_MS = 60_000;
/** After this time a running execution no longer counts as in flight: a worker has it. */
const BUSY_AFTER_MS = 2_000;
/** Nobody is notified that an execution runs: so often those in flight are looked at that are not seen to. */
const LOOK_MS = 1_000;
/** No worker has taken it yet. */
const SILENT_MS = 10_000;

/**
 * The admission queue: accepted starts before the engine. The engine hands out tasks in order of arrival, so only a few
 * starts are in flight at once, and waiting starts are admitted one workspace after the other: a workspace with
 * thousands of starts does not delay the others. A start is in flight until its execution ends, waits, or is seen to
 * run.
 */
export class StartLine {
  readonly #options: StartLineOptions;
  readonly #gate: FairGate;
  /**
   * Waiting starts. The line is shared like the gate: a workspace with thousands of starts leaves room for others to
   * wait too.
   */
  readonly #places: Shares;
  readonly #waiting = new Set<string>();
  readonly #starting = new Set<Promise<boolean>>();
  /** The engine has them: a worker may take long to come to one. */
  readonly #known = new LRUCache<string, true>({ max: MOST_KNOWN, ttl: KNOWN_MS });
  /** In flight, and not seen to run: since when. */
  readonly #unseen = new Map<string, number>();
  #look: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: StartLineOptions) {
    this.#options = options;
    this.#gate = new FairGate(options.most);
    this.#places = new Shares(options.longest ?? LONGEST_LINE);
  }

  /**
   * For callers that wait for the end. False if the engine did not take the start or the line is full: the reconciler
   * starts it later.
   */
  async start(execution: ExecutionStart): Promise<boolean> {
    if (!this.#places.take(execution.workspaceId)) return false;
    const started = this.#inTurn(execution);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<true>((resolve) => {
      timer = setTimeout(resolve, this.#options.patienceMs, true);
    });
    return Promise.race([started, late]).finally(() => clearTimeout(timer));
  }

  /** It has a place in line. */
  async #inTurn(execution: ExecutionStart, whenKnown?: () => void): Promise<boolean> {
    this.#waiting.add(execution.executionId);
    const hasWaited = await this.#gate.enter(execution.workspaceId);
    this.#places.giveBack(execution.workspaceId);
    const starting = this.#isClosed ? Promise.resolve(false) : this.#begin(execution, hasWaited, whenKnown);
    this.#starting.add(starting);
    void starting.finally(() => {
      this.#starting.delete(starting);
      this.#waiting.delete(execution.executionId);
    });
    return starting;
  }

  /**
   * For a start that nobody waits for. False where it stands in line already, or the line has no place for it.
   * `whenKnown` is called where the engine already had the start.
   */
  startBehind(execution: ExecutionStart, whenKnown?: () => void): boolean {
    if (this.has(execution.executionId) || !this.#places.take(execution.workspaceId)) return false;
    void this.#inTurn(execution, whenKnown);
    return true;
  }

  /** It stands in line, or this process is giving it to the engine, or has done so in the last minute. */
  has(executionId: string): boolean {
    return this.#waiting.has(executionId) || this.#known.has(executionId);
  }

  /** Resolves when no start is in flight. Waiting starts are left to the reconciler. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#gate.open();
    await Promise.all(this.#starting);
  }

  async #begin(execution: ExecutionStart, hasWaited: boolean, whenKnown?: () => void): Promise<boolean> {
    const { engine, log } = this.#options;
    const { executionId } = execution;
    const passed = this.#untilPassed(execution);
    try {
      // A long line of eager starts would leave the engine no worker for executions that began before them.
      const isNew = await engine.start(execution, !hasWaited);
      this.#known.set(executionId, true);
      // An execution that the engine already knew leaves the queue: it is not in flight here.
      if (!isNew) {
        passed();
        whenKnown?.();
      }
      return true;
    } catch (error) {
      passed();
      log.warn(
        { executionId, ...(error instanceof EngineAway ? {} : { err: error }) },
        'accepted; the engine starts it later',
      );
      return false;
    }
  }

  /** Leaves the gate once the execution stands in nobody's way, or is known to have passed. */
  #untilPassed({ executionId, workspaceId }: ExecutionStart): () => void {
    let timer = setTimeout(pass, SILENT_MS).unref();
    let hasBegun = false;
    const began = performance.now();
    const unseen = this.#unseen;
    unseen.set(executionId, began);
    this.#lookLater();
    const unsubscribe = this.#options.feed.subscribe(executionId, ({ status }) => {
      if (status === 'PENDING') return;
      if (status !== 'RUNNING') return pass();
      if (hasBegun) return;
      hasBegun = true;
      unseen.delete(executionId);
      clearTimeout(timer);
      // A look finds it some time after it began to run.
      const busyMs = Math.max(BUSY_AFTER_MS - (performance.now() - began), BUSY_AFTER_MS - LOOK_MS);
      timer = setTimeout(pass, busyMs).unref();
    });
    let hasPassed = false;
    const leave = () => this.#gate.leave(workspaceId);
    function pass(): void {
      if (hasPassed) return;
      hasPassed = true;
      clearTimeout(timer);
      unsubscribe();
      unseen.delete(executionId);
      leave();
    }
    return pass;
  }

  /** One statement for all; those of just now will end or be seen by themselves, nearly always. */
  #lookLater(): void {
    this.#look ??= setTimeout(async () => {
      const before = performance.now() - LOOK_MS / 2;
      const ids = [...this.#unseen].flatMap(([id, since]) => (since < before ? [id] : []));
      if (ids.length > 0) await this.#options.feed.look(ids);
      this.#look = undefined;
      if (this.#unseen.size > 0) this.#lookLater();
    }, LOOK_MS).unref();
  }
}
