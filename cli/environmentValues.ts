import { mapTexts } from '../domain/json.ts';

export interface StoredValues {
  values: string[];
  texts: [filled: string, shown: string][];
}

/** Shorter values are masked only in texts that contain them, since elsewhere they match by chance. */
const MIN_MASKED_LENGTH = 4;
const MASK = '***';

/** The values of the environment in a folder's texts, which are masked in all output. */
export class EnvironmentValues {
  readonly #values: Set<string>;
  readonly #texts: Map<string, string>;

  constructor({ values, texts }: StoredValues = { values: [], texts: [] }) {
    this.#values = new Set(values);
    this.#texts = new Map(texts);
  }

  /** `shown` is the filled text with masked values. */
  add(filled: string, shown: string, values: readonly string[]): void {
    if (filled !== shown) this.#texts.set(filled, shown);
    for (const value of values) if (value.length >= MIN_MASKED_LENGTH) this.#values.add(value);
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

  stored(): StoredValues {
    return { values: [...this.#values], texts: [...this.#texts] };
  }
}
