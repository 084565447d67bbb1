/**
 * What one evaluation may cost: all templates of a node, a key, the rules of one entity. A unit of work is about a tenth
 * of a microsecond, and is charged before it is done, by the sizes that it touches.
 */
export interface MeterLimits {
  work: number;
  /** Of the results, about as JSON; counted before they are made. */
  resultBytes: number;
  /** Beyond `work` not a failure: the whole evaluation is made again where it holds nobody up. */
  isInline?: boolean;
  /** Milliseconds of this clock, from the first charge on. */
  clock?: { now(): number; timeMs: number };
}

export const MAX_WORK = 5_000_000;
/** Some milliseconds: what may run on the thread that serves others too. */
export const INLINE_WORK = 40_000;
/** Characters of a text that an expression makes. */
export const MAX_TEXT_LENGTH = 10_485_760;
/** Bytes of all texts and lists that an evaluation makes on its way: they are in memory together at worst. */
export const MAX_MADE_BYTES = 134_217_728;
/** Work between two looks at the clock. */
const LOOK_EVERY = 2_000;
/** To make an error and its stack; exists() and `||` go on after it. */
const FAILURE_WORK = 60;

/** A limit of the evaluation is met. CEL lets `||` and exists() pass over failures, but not over this one. */
export class LimitReached extends Error {
  /** Where in the value that is checked, where it is known. */
  readonly place: string | undefined;

  constructor(reason: string, place?: string) {
    super(reason);
    this.place = place;
  }
}

/** Thrown by an inline evaluation that takes more than INLINE_WORK. Nobody reads its stack. */
export class InlineSpent extends Error {}
const INLINE_SPENT = new InlineSpent('the evaluation takes too long for the thread that serves others too');

/** The budget of one evaluation. */
export class Meter {
  readonly #limits: MeterLimits;
  #left: number;
  /** Below this much, there is something to look at. */
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

  /** The limit that was met. */
  get end(): Error | undefined {
    return this.#end;
  }

  /** Units of work so far. */
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

  /** Texts and lists that are made on the way. */
  made(bytes: number): void {
    this.#made += bytes;
    if (this.#made > MAX_MADE_BYTES) {
      this.stop(`the expression makes more than ${inWords(MAX_MADE_BYTES)} bytes on its way`);
    }
  }

  /** Counts the size of a result, and fails where all results together have too many. */
  result(bytes: number): void {
    this.#results += bytes;
    const { resultBytes } = this.#limits;
    if (this.#results <= resultBytes) return;
    this.stop(`the results have more than ${inWords(resultBytes)} bytes (MAX_OUTPUT_BYTES)`);
  }

  /** Bytes that results may still have. */
  get resultsLeft(): number {
    return this.#limits.resultBytes - this.#results;
  }

  stop(reason: string): never {
    throw this.#stopped(new LimitReached(reason));
  }

  #stopped(end: Error): Error {
    this.#end ??= end;
    // Every charge from now on throws.
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

// Evaluation is synchronous: whatever is charged meanwhile belongs to this one. Outside of any (patterns that are only
// compiled) nothing is charged.
let active: Meter | undefined;

/** Runs the work as one evaluation. Inside another one it is a part of that. */
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

/** Runs the work as an evaluation of its own, where it is not part of another one. */
export function asUnit<T>(work: () => T): T {
  return active === undefined ? metered(new Meter({ work: MAX_WORK, resultBytes: MAX_MADE_BYTES }), work) : work();
}

export function activeMeter(): Meter | undefined {
  return active;
}

export function charge(work: number): void {
  active?.charge(work);
}

/** Work that may be `worst`, and in general is `likely`: where nothing can end it, the worst counts. */
export function chargeAtWorst(worst: number, likely: number): void {
  active?.charge(active.isInline ? worst : likely);
}

/** A text or bytes that are made: charged, and refused where they are too long. */
export function chargeText(length: number): void {
  if (active === undefined) return;
  if (length > MAX_TEXT_LENGTH) {
    active.stop(`the expression makes a text of more than ${inWords(MAX_TEXT_LENGTH)} characters`);
  }
  active.charge(length >> 6);
  active.made(length);
}

/** A list that is made. */
export function chargeList(length: number): void {
  active?.charge(length);
  active?.made(length * 8);
}

/** Bytes that come to be on the way, beside those of texts and lists. */
export function made(bytes: number): void {
  active?.made(bytes);
}

/** CEL goes on after some failures, and each costs its error. */
export function chargeFailure(): void {
  active?.charge(FAILURE_WORK);
}

export function isSpent(): boolean {
  return active?.end !== undefined;
}

/** The name of a member that is looked for: a long one is read whole. */
export function chargeKey(key: unknown): void {
  if (typeof key === 'string' && key.length > 64) active?.charge(key.length >> 6);
}

/** The keys of a map. Only making them tells how many there are. */
export function chargedKeys(map: object): string[] {
  const keys = Object.keys(map);
  active?.charge(keys.length << 2);
  return keys;
}
