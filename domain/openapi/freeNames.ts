/** Longer than `_` and the number of any operation or field. */
const SUFFIX = 8;

/** Makes names unique: a long name is cut, and one that is taken gets a number. The same calls make the same names. */
export class FreeNames {
  readonly #maxCharacters: number;
  readonly #taken = new Set<string>();
  /** The next number to try. Trying from 2 each time would block the process for minutes on a hostile document. */
  readonly #next = new Map<string, number>();

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  has(name: string): boolean {
    return this.#taken.has(name.slice(0, this.#maxCharacters));
  }

  take(name: string): string {
    const start = name.slice(0, this.#maxCharacters - SUFFIX);
    let free = name.slice(0, this.#maxCharacters);
    let count = this.#next.get(start) ?? 2;
    for (; this.#taken.has(free); count += 1) {
      const suffix = `_${count}`;
      free = name.slice(0, this.#maxCharacters - suffix.length) + suffix;
    }
    this.#next.set(start, count);
    this.#taken.add(free);
    return free;
  }
}
