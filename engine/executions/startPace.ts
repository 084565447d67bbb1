import { setTimeout as sleep } from 'node:timers/promises';

export interface StartPaceOptions {
  max: number;
  answers: () => Promise<boolean>;
  probeMs?: number;
  away?: () => void;
}

const PROBE_MS = 1_000;

/**
 * Halves the start calls in flight after an unanswered call, and adds one after each answer (additive increase,
 * multiplicative decrease). After an unanswered call nothing is sent until a probe is answered.
 */
export class StartPace {
  readonly #options: StartPaceOptions;
  readonly #waiting: (() => void)[] = [];
  #width: number;
  #inFlight = 0;
  #isProbing = false;
  #isAway = false;
  #isOpen = false;

  constructor(options: StartPaceOptions) {
    this.#options = options;
    this.#width = options.max;
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  get width(): number {
    return this.#width;
  }

  /** Resolves when a call may be sent, with whether it had to wait. Call `leave` once for each. */
  async enter(): Promise<boolean> {
    if (this.#mayEnter() && this.#waiting.length === 0) {
      this.#inFlight += 1;
      return false;
    }
    await new Promise<void>((go) => this.#waiting.push(go));
    return true;
  }

  leave(how: 'answered' | 'unanswered' | 'unused'): void {
    this.#inFlight -= 1;
    if (how === 'answered') this.#width = Math.min(this.#options.max, this.#width + 1);
    if (how === 'unanswered') {
      this.#width = Math.max(1, Math.floor(this.#width / 2));
      if (!this.#isProbing) void this.#probe();
    }
    this.#admit();
  }

  /** Admits all callers from now on. */
  open(): void {
    this.#isOpen = true;
    this.#admit();
  }

  #mayEnter(): boolean {
    return this.#isOpen || (!this.#isProbing && this.#inFlight < this.#width);
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#mayEnter()) {
      this.#inFlight += 1;
      this.#waiting.shift()?.();
    }
  }

  async #probe(): Promise<void> {
    this.#isProbing = true;
    const { answers, away, probeMs = PROBE_MS } = this.#options;
    while (!this.#isOpen && !(await answers().catch(() => false))) {
      if (!this.#isAway) {
        this.#isAway = true;
        away?.();
      }
      await sleep(probeMs * (0.75 + Math.random() / 2), undefined, { ref: false });
    }
    this.#isAway = false;
    this.#isProbing = false;
    this.#admit();
  }
}
