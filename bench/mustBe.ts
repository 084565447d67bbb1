import { isDeepStrictEqual } from 'node:util';

/** A sample whose answer is wrong tells nothing: throws. */
export function mustBe(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) throw new Error(`expected another answer: ${JSON.stringify(found)}`);
}
