/** The budget of one evaluation. A unit takes about 0.1 µs and is charged before the work, by the sizes it reads. */
export interface MeterLimits {
  work: number;
  /** Approximate bytes of the results as JSON, counted before they are made. */
  resultBytes: number;
  /** Exceeding `work` is then no failure: the whole evaluation runs again where it blocks nobody. */
  isInline?: boolean;
  /** `timeMs` is measured with this clock from the first charge. */
  clock?: { now(): number; timeMs: number };
}

export const MAX_WORK = 5_000_000;
/** A few milliseconds: the maximum for a thread that also serves others. */
export const INLINE_WORK = 40_000;
export const MAX_TEXT_LENGTH = 10_485_760;
/** Bytes of all intermediate texts and lists of an evaluation. In the worst case all are in memory at once. */
export const MAX_MADE_BYTES = 134_217_728;
/** Work between two reads of the clock. */
const LOOK_EVERY = 2_000;
/** The work of making an error with its stack, which exists() and `||` can cause repeatedly. */
const FAILURE_WORK = 60;

/** A limit of the evaluation is reached. In CEL, `||` and exists() ignore failures, but must not ignore this one. */
export class LimitReached extends Error {
  readonly place: string | undefined;

  constructor(reason: string, place?: string) {
    super(reason);
    this.place = place;
  }
}

/** An inline evaluation exceeded INLINE_WORK. Nobody reads its stack, so one instance suffices. */
export class InlineSpent extends Error {}
const INLINE_SPENT = new InlineSpent('the evaluation takes too long for a shared thread');

export class Meter {
  readonly #limits: MeterLimits;
  #left: number;
  /** When the remaining work falls below this, limits and the clock are checked. */
  #look: number;
  #until: number | undefined;
  #made = 0;
  #results = 0;
  #end: Error | undefined;

  constructor(limits: MeterLimits) {
    this.#limits = limits;
    this.#left = limits.work;
    this.#look = limits.clock === undefined ? 0 : limits.work;
  }

  get end(): Error | undefined {
    return this.#end;
  }

  get spent(): number {
    return this.#limits.work - this.#left;
  }

  get isInline(): boolean {
    return this.#limits.isInline === true;
  }

  charge(work: number): void {
    this.#left -= work;
    if (this.#left < this.#look) this.#lookAround();
  }

  made(bytes: number): void {
    this.#made += bytes;
    if (this.#made > MAX_MADE_BYTES) {
      this.stop(`the expression makes more than ${inWords(MAX_MADE_BYTES)} bytes of intermediate results`);
    }
  }

  result(bytes: number): void {
    this.#results += bytes;
    const { resultBytes } = this.#limits;
    if (this.#results <= resultBytes) return;
    this.stop(`the results have more than ${inWords(resultBytes)} bytes (MAX_OUTPUT_BYTES)`);
  }

  get resultsLeft(): number {
    return this.#limits.resultBytes - this.#results;
  }

  stop(reason: string): never {
    throw this.#stopped(new LimitReached(reason));
  }

  #stopped(end: Error): Error {
    this.#end ??= end;
    // From now on every charge throws.
    this.#look = Number.POSITIVE_INFINITY;
    return this.#end;
  }

  #lookAround(): void {
    if (this.#end) throw this.#end;
    if (this.#left < 0) {
      if (this.isInline) throw this.#stopped(INLINE_SPENT);
      this.stop(`the expression takes more than ${inWords(this.#limits.work)} steps`);
    }
    const { clock } = this.#limits;
    if (clock === undefined) return;
    const now = clock.now();
    this.#until ??= now + clock.timeMs;
    if (now > this.#until) this.stop(timeReason(clock.timeMs));
    this.#look = Math.max(this.#left - LOOK_EVERY, 0);
  }
}

export function timeReason(timeMs: number): string {
  return `the expression takes more than ${inWords(timeMs)} ms (EXPRESSION_TIMEOUT_MS)`;
}

function inWords(count: number): string {
  return count.toLocaleString('en-US');
}

// Evaluation is synchronous, so every charge belongs to the active meter. Outside an evaluation nothing is charged.
let active: Meter | undefined;

/** Runs the work as one evaluation, or as part of the current one. */
export function metered<T>(meter: Meter, work: () => T): T {
  if (active !== undefined) return work();
  active = meter;
  try {
    const result = work();
    if (meter.end) throw meter.end;
    return result;
  } finally {
    active = undefined;
  }
}

/** Runs the work as part of the current evaluation, or with a new default budget. */
export function asUnit<T>(work: () => T): T {
  return active === undefined ? metered(new Meter({ work: MAX_WORK, resultBytes: MAX_MADE_BYTES }), work) : work();
}

export function activeMeter(): Meter | undefined {
  return active;
}

export function charge(work: number): void {
  active?.charge(work);
}

/** Charges `likely`, or `worst` in an inline evaluation, which cannot be interrupted. */
export function chargeAtWorst(worst: number, likely: number): void {
  active?.charge(active.isInline ? worst : likely);
}

export function chargeText(length: number): void {
  if (active === undefined) return;
  if (length > MAX_TEXT_LENGTH) {
    active.stop(`the expression makes a text of more than ${inWords(MAX_TEXT_LENGTH)} characters`);
  }
  active.charge(length >> 6);
  active.made(length);
}

export function chargeList(length: number): void {
  active?.charge(length);
  active?.made(length * 8);
}

/** Counts intermediate bytes other than those of texts and lists. */
export function made(bytes: number): void {
  active?.made(bytes);
}

/** CEL continues after some failures, and each error costs time. */
export function chargeFailure(): void {
  active?.charge(FAILURE_WORK);
}

export function isSpent(): boolean {
  return active?.end !== undefined;
}

/** Charges reading a member's name, which takes time if it is long. */
export function chargeKey(key: unknown): void {
  if (typeof key === 'string' && key.length > 64) active?.charge(key.length >> 6);
}

/** Returns the keys of a map and charges them. Their number is unknown before they are listed. */
export function chargedKeys(map: object): string[] {
  const keys = Object.keys(map);
  active?.charge(keys.length << 2);
  return keys;
}
