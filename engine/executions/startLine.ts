import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import type { Engine, ExecutionStart } from '../engine.ts';
import { EngineAway } from '../engineAway.ts';
import { FairPlaces } from '../fairness/fairPlaces.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';
import type { StartCallOutcome } from '../metrics/startCallOutcome.ts';
import { StartClaims } from './startClaims.ts';
import { StartPace } from './startPace.ts';
import { UnbegunStarts } from './unbegunStarts.ts';

export interface StartLineOptions {
  database: Database;
  engine: Engine;
  feed: ChangeFeed;
  /** Maximum calls in flight plus starts that no worker has begun; half for one workspace. */
  most: number;
  /** How long a caller waits for an execution, milliseconds. */
  patienceMs: number;
  /** Maximum waiting starts; half for one workspace. */
  longest?: number;
  metrics?: { startCalled(outcome: StartCallOutcome): void };
  log: Logger;
}

/** The reconciler starts the rest from their rows. */
const MAX_LINE = 20_000;
/** Maximum accepted starts that are remembered, and for how long. */
const MAX_KNOWN = 50_000;
const KNOWN_MS = 60_000;
/** The first pause after a failed start; it doubles each time. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
const TICK_MS = 1_000;
/** Closing waits at most this long for calls in flight; their claims lapse. */
const CLOSE_MS = 3_000;

interface WaitingStart {
  execution: ExecutionStart;
  isAwaited: boolean;
  isCalling: boolean;
  failures: number;
  answer: (isTaken: boolean) => void;
  whenKnown: (() => void) | undefined;
  retry?: NodeJS.Timeout;
}

/**
 * The admission queue of accepted starts. The engine hands out tasks in order of arrival, so starts are admitted in
 * turn by workspace, with few that no worker has begun: a workspace with thousands of starts does not delay others.
 */
export class StartLine {
  readonly #options: StartLineOptions;
  readonly #turns: FairPlaces;
  readonly #pace: StartPace;
  readonly #claims: StartClaims;
  readonly #unbegun: UnbegunStarts;
  /** Shares the line like the turns, so that a workspace with thousands of starts leaves room for others. */
  readonly #places: FairPlaces;
  readonly #waiting = new Map<string, WaitingStart>();
  readonly #calls = new Set<Promise<unknown>>();
  readonly #awaiting = new Set<() => void>();
  readonly #known = new LRUCache<string, true>({ max: MAX_KNOWN, ttl: KNOWN_MS });
  #failed: { starts: number; error: unknown } = { starts: 0, error: undefined };
  #tick: NodeJS.Timeout | undefined;
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(options: StartLineOptions) {
    const { database, engine, feed, most, log } = options;
    this.#options = options;
    this.#turns = new FairPlaces(most);
    this.#pace = new StartPace({
      max: most,
      answers: async () => (await engine.ready()).engine,
      away: () => {
        for (const giveUp of this.#awaiting) giveUp();
      },
    });
    this.#claims = new StartClaims({ database, lost: (executionId) => this.#drop(executionId), log });
    this.#unbegun = new UnbegunStarts(feed, (workspaceId) => this.#turns.leave(workspaceId));
    this.#places = new FairPlaces(options.longest ?? MAX_LINE);
    this.#unsubscribe = feed.subscribeToAll(({ executionId, status }) => {
      if (status !== 'PENDING') this.#drop(executionId);
    });
  }

  /** Starts for a waiting caller. False if the engine does not answer or the line is full: it starts later. */
  async start(execution: ExecutionStart): Promise<boolean> {
    if (this.#pace.isAway) {
      this.startInBackground(execution);
      return false;
    }
    if (!this.#places.tryEnter(execution.workspaceId)) return false;
    return new Promise((resolve) => {
      const answer = (isTaken: boolean) => {
        clearTimeout(timer);
        this.#awaiting.delete(giveUp);
        resolve(isTaken);
      };
      const giveUp = () => answer(false);
      const timer = setTimeout(answer, this.#options.patienceMs, true);
      this.#awaiting.add(giveUp);
      this.#join(execution, { isAwaited: true, answer, whenKnown: undefined });
    });
  }

  /** Starts without a waiting caller. False if in line, or the line is full. `whenKnown`: the engine already had it. */
  startInBackground(execution: ExecutionStart, whenKnown?: () => void): boolean {
    if (this.has(execution.executionId) || !this.#places.tryEnter(execution.workspaceId)) return false;
    this.#join(execution, { isAwaited: false, answer: () => undefined, whenKnown });
    return true;
  }

  /** Returns whether the start is in the line, in flight, or was accepted in the last minute. */
  has(executionId: string): boolean {
    return this.#waiting.has(executionId) || this.#known.has(executionId);
  }

  /** Resolves when no call is in flight, or after CLOSE_MS. Waiting starts are left to other processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#tick);
    for (const { retry } of this.#waiting.values()) clearTimeout(retry);
    this.#turns.open();
    this.#pace.open();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
    });
    await Promise.race([Promise.all(this.#calls), late]).finally(() => clearTimeout(timer));
    this.#unbegun.close();
    this.#unsubscribe();
    await this.#claims.release();
  }

  #join(execution: ExecutionStart, how: Pick<WaitingStart, 'isAwaited' | 'answer' | 'whenKnown'>): void {
    const start: WaitingStart = { execution, isCalling: false, failures: 0, ...how };
    this.#waiting.set(execution.executionId, start);
    this.#claims.hold(execution.executionId);
    this.#tickLater();
    void this.#inTurn(start);
  }

  async #inTurn(start: WaitingStart): Promise<void> {
    const { executionId, workspaceId } = start.execution;
    const isFree = this.#turns.tryEnter(workspaceId);
    await (isFree || this.#turns.enter(workspaceId));
    this.#places.leave(workspaceId);
    const hasWaitedForEngine = await this.#pace.enter();
    if (this.#isClosed || !this.#waiting.has(executionId)) {
      this.#pace.leave('unused');
      this.#turns.leave(workspaceId);
      start.answer(false);
      return;
    }
    // Many eager starts would leave the engine no worker for executions that began earlier.
    const call = this.#call(start, isFree && !hasWaitedForEngine && start.failures === 0);
    this.#calls.add(call);
    void call.finally(() => this.#calls.delete(call));
  }

  async #call(start: WaitingStart, isEager: boolean): Promise<void> {
    const { engine, metrics } = this.#options;
    const { execution, isAwaited } = start;
    const { executionId, workspaceId } = execution;
    start.isCalling = true;
    // Before the call, whose answer may come after the first step.
    const until = this.#unbegun.watch(execution);
    try {
      const isNew = await engine.start(execution, { isEager, isAwaited: isAwaited && start.failures === 0 });
      metrics?.startCalled(isNew ? 'started' : 'known');
      this.#pace.leave('answered');
      this.#waiting.delete(executionId);
      this.#known.set(executionId, true);
      if (isNew && !until.hasBegun) this.#claims.accept(executionId);
      else this.#claims.letGo(executionId);
      until.accepted(isNew);
      start.answer(true);
      if (!isNew) start.whenKnown?.();
    } catch (error) {
      const isAway = error instanceof EngineAway;
      metrics?.startCalled(isAway ? 'unanswered' : 'refused');
      this.#pace.leave(isAway ? 'unanswered' : 'answered');
      until.accepted(false);
      start.isCalling = false;
      start.answer(false);
      this.#failed = { starts: this.#failed.starts + 1, error: isAway ? this.#failed.error : error };
      if (this.#isClosed) return;
      if (until.hasBegun || !this.#places.tryEnter(workspaceId)) this.#drop(executionId);
      else this.#retryLater(start);
    }
  }

  #retryLater(start: WaitingStart): void {
    const pauseMs = Math.min(FIRST_RETRY_MS * 2 ** start.failures, MAX_RETRY_MS);
    start.failures += 1;
    start.retry = setTimeout(() => void this.#inTurn(start), pauseMs * (1 + Math.random() / 4)).unref();
  }

  /** Drops a start that may no longer begin, or is left to the reconciler. A call in flight continues. */
  #drop(executionId: string): void {
    const start = this.#waiting.get(executionId);
    if (start?.isCalling) return;
    this.#waiting.delete(executionId);
    this.#claims.letGo(executionId);
  }

  #tickLater(): void {
    if (this.#isClosed) return;
    this.#tick ??= setTimeout(async () => {
      await this.#claims.renew();
      this.#report();
      this.#tick = undefined;
      if (!this.#claims.isEmpty) this.#tickLater();
    }, TICK_MS).unref();
  }

  #report(): void {
    const { starts, error } = this.#failed;
    if (starts === 0) return;
    this.#failed = { starts: 0, error: undefined };
    const about = { starts, ...(error === undefined ? {} : { err: error }) };
    this.#options.log.warn(about, 'accepted starts did not reach the engine; they are tried again');
  }
}
