/** RecentTexts used texts. Each expires some time after its last use; the oldest ones are dropped first. */
export class RecentTexts<V = true> {
  readonly #most: number;
  readonly #forMs: number;
  readonly #known = new Map<string, { value: V; at: number }>();

  constructor(forMs: number, most: number) {
    this.#forMs = forMs;
    this.#most = most;
  }

  get(text: string): V | undefined {
    return this.#known.get(text)?.value;
  }

  set(text: string, value: V, now = Date.now()): void {
    this.#known.delete(text);
    this.#known.set(text, { value, at: now });
    for (const [oldest, { at }] of this.#known) {
      if (this.#known.size <= this.#most && now - at <= this.#forMs) return;
      this.#known.delete(oldest);
    }
  }

  delete(text: string): void {
    this.#known.delete(text);
  }
}
