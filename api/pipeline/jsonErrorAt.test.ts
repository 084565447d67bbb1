import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { jsonErrorAt } from './jsonErrorAt.ts';

test.each([
  ['', 1, 1, 'unexpected end'],
  ['{"a": }', 1, 7, 'unexpected character'],
  ['{"a": 1,}', 1, 9, 'unexpected character'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'unexpected character'],
  ['[1, 2', 1, 6, 'unexpected end'],
  ['{} x', 1, 4, 'unexpected character'],
  ['{a: 1}', 1, 2, 'unexpected character'],
  ['[01]', 1, 2, 'unexpected character'],
  ['["\\x"]', 1, 2, 'unexpected character'],
  ['[tru]', 1, 2, 'unexpected character'],
])('%j stops being JSON at %i:%i', (text, line, column, found) => {
  expect(() => JSON.parse(text)).toThrow();
  expect(jsonErrorAt(text)).toEqual({ line, column, found });
});

test('valid JSON is read to the end, and a cut is found at the end or at the cut token', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => {
      expect(jsonErrorAt(`${text} ?`)).toMatchObject({ line: 1, found: 'unexpected character' });
      const part = text.slice(0, cut % (text.length + 1));
      try {
        JSON.parse(part);
      } catch {
        const { line, column } = jsonErrorAt(part);
        const offset =
          part
            .split('\n')
            .slice(0, line - 1)
            .join('\n').length +
          column -
          1;
        expect(offset).toBeLessThanOrEqual(part.length);
        expect(() => JSON.parse(part.slice(0, offset))).toThrow();
      }
    }),
  );
});
