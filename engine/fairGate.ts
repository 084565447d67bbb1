/** Lets at most `most` through at once. Of those that wait, one of each key in turn: a long line of one delays no other. */
export class FairGate {
  #most: number;
  #inside = 0;
  /** Lines by key; the key whose turn is next comes first. */
  readonly #lines = new Map<string, (() => void)[]>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when it is its turn; call `leave` once for each. */
  async enter(key: string): Promise<void> {
    if (this.#inside < this.#most) {
      this.#inside += 1;
      return;
    }
    await new Promise<void>((go) => {
      const line = this.#lines.get(key);
      if (line) line.push(go);
      else this.#lines.set(key, [go]);
    });
  }

  /** From now on nobody waits. */
  open(): void {
    this.#most = Number.POSITIVE_INFINITY;
    for (const line of this.#lines.values()) {
      this.#inside += line.length;
      for (const go of line) go();
    }
    this.#lines.clear();
  }

  /** Whoever waits next takes the place. */
  leave(): void {
    const [next] = this.#lines;
    if (!next) {
      this.#inside -= 1;
      return;
    }
    const [key, line] = next;
    this.#lines.delete(key);
    const go = line.shift();
    if (line.length > 0) this.#lines.set(key, line);
    go?.();
  }
}
