import { isDeepStrictEqual } from 'node:util';

/** Throws if a sample's result is wrong, since its time would be meaningless. */
export function mustBe(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) throw new Error(`expected another answer: ${JSON.stringify(found)}`);
}
