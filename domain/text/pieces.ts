import { charge } from '../expression/meter.ts';

/** The result would be too large. Thrown before the result is made. */
export class ResultTooLarge extends Error {}

/** Collects the parts of a text and counts their bytes before they are joined, or even made. */
export class Pieces {
  readonly #parts: string[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get left(): number {
    return this.#maxBytes - this.#bytes;
  }

  count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) {
      throw new ResultTooLarge(
        `The output would have more than ${this.#maxBytes} bytes; at most that many are allowed (MAX_OUTPUT_BYTES)`,
      );
    }
    charge(1 + (bytes >> 6));
  }

  add(...parts: readonly string[]): void {
    for (const part of parts) {
      this.count(part.length);
      this.#parts.push(part);
    }
  }

  join(separator = ''): string {
    return this.#parts.join(separator);
  }
}
