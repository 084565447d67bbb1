import { isDeepStrictEqual } from 'node:util';

/** Throws for a sample with a wrong answer, which would be meaningless. */
export function mustBe(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) throw new Error(`expected another answer: ${JSON.stringify(found)}`);
}
