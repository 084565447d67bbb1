// biome-ignore-all lint/suspicious/noTemplateCurlyInString: as in the files
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { escapedText, filledText, namesIn } from './environmentText.ts';

const text = fc
  .array(fc.oneof(fc.constantFrom('$', '$$', '${', '$${', '${env:A}', 'env:', '{', '}', '\n'), fc.string()))
  .map((parts) => parts.join(''));

test('pull and apply keep a text of the server, and fill nothing in', () => {
  fc.assert(
    fc.property(text, (stored) => {
      const file = escapedText(stored);
      expect(namesIn(file)).toEqual([]);
      expect(filledText(file, () => 'FILLED')).toBe(stored);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['${env:A}', 'a'],
  ['$${env:A}', '${env:A}'],
  ['$$${env:A}', '$${env:A}'],
  ['$${', '${'],
  ['$$${', '$${'],
  ['${x} costs $5 {y}', '${x} costs $5 {y}'],
  ['x${env:A}y${env:B}', 'xayb'],
])('%s means %s', (file, meant) => {
  expect(filledText(file, (name) => name.toLowerCase())).toBe(meant);
});
