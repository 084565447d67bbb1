import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { tooDeepAt } from './jsonDepth.ts';

test.each([
  ['[[1]]', 2, undefined],
  ['[[[1]]]', 2, { line: 1, column: 3 }],
  ['[[1],[1],{}]', 2, undefined],
  ['{"a":\n {"b": [1]}}', 2, { line: 2, column: 8 }],
  ['["[[[["]', 1, undefined],
  ['["\\"[[[["]', 1, undefined],
  ['["\\\\", [1]]', 1, { line: 1, column: 8 }],
  ['"never ends [[[', 1, undefined],
  ['1', 1, undefined],
  ['[', 1, undefined],
])('%j with at most %i levels: %j', (text, most, place) => {
  expect(tooDeepAt(text, most)).toEqual(place);
});

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test('any JSON is too deep for less than its depth only', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      const depth = depthOf(JSON.parse(text));
      expect(tooDeepAt(text, depth)).toBeUndefined();
      if (depth > 0) expect(tooDeepAt(text, depth - 1)).toBeDefined();
    }),
  );
});
