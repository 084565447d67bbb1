/** How many keys are remembered; beyond it all are forgotten, and each is due once more. */
const MAX_KEYS = 10_000;

/** Lets the same key through once in a while, so that a flood of refusals writes one entry. */
export class OncePerPause {
  readonly #pauseMs: number;
  readonly #last = new Map<string, number>();

  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  isDue(key: string, now = Date.now()): boolean {
    const last = this.#last.get(key);
    if (last !== undefined && now - last < this.#pauseMs) return false;
    if (this.#last.size >= MAX_KEYS) this.#last.clear();
    this.#last.set(key, now);
    return true;
  }
}
