import { mapTexts } from '../domain/json.ts';

/** Shorter values are masked only in texts that contain them, since elsewhere they match by chance. */
const MIN_MASKED_LENGTH = 4;
const MASK = '***';

/** The values of the environment in a folder's texts, which are masked in all output. */
export class EnvironmentValues {
  readonly #values = new Set<string>();
  readonly #texts = new Map<string, string>();
  readonly #names = new Set<string>();

  get names(): string[] {
    return [...this.#names];
  }

  /** `shown` is the filled text with masked values. */
  add(filled: string, shown: string, given: Readonly<Record<string, string>>): void {
    if (filled !== shown) this.#texts.set(filled, shown);
    for (const [name, value] of Object.entries(given)) {
      this.#names.add(name);
      if (value.length >= MIN_MASKED_LENGTH) this.#values.add(value);
    }
  }

  masked<T>(value: T): T {
    if (this.#texts.size === 0) return value;
    // Longest first, since one value may be a part of another.
    const values = [...this.#values].sort((a, b) => b.length - a.length);
    return mapTexts(value, (text) => {
      const known = this.#texts.get(text);
      return known ?? values.reduce((shown, each) => shown.replaceAll(each, MASK), text);
    });
  }
}
