/** Maximum remembered keys. Beyond it all are forgotten, and each passes once more. */
const MAX_KEYS = 10_000;

/** Lets a key pass once per pause, so that a flood of refusals writes one entry. */
export class KeyThrottle {
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
