import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keepExactIntegers } from './exactIntegers.ts';
import { parseJson } from './jsonBody.ts';

const parse = (text: string) => parseJson(text, { depth: 10, keepsIntegers: true });

test.each([
  ['{"n":12345678901234567890}', { n: '12345678901234567890' }],
  ['[9007199254740993, -9007199254740993]', ['9007199254740993', '-9007199254740993']],
  ['[9007199254740992, 100000000000000000000, 1e20]', [9007199254740992, 1e20, 1e20]],
  [
    '[1234567890123456.7, 12345678901234567890.0, 1.2345678901234567e3]',
    [1234567890123456.8, 12345678901234567000, 1234.5678901234567],
  ],
  ['"12345678901234567890"', '12345678901234567890'],
  ['"a \\" 12345678901234567890"', 'a " 12345678901234567890'],
  ['12345678901234567890', '12345678901234567890'],
  [`[${'1'.repeat(400)}]`, ['1'.repeat(400)]],
])('%s', (text, value) => expect(parse(text)).toEqual(value));

test.each([
  '{12345678901234567890: 1}',
  '{12345678901234567890\n:1}',
  '[01234567890123456789]',
  '[12345678901234567890x]',
])('what is no JSON stays none: %s', (text) => expect(() => parse(text)).toThrow('The body is not JSON'));

test('reports the place of a mistake in the original text', () => {
  expect(() => parse('{"n":12345678901234567890,"m":}')).toThrow(/line 1, column 31/);
});

test('a million digits take no time', () => {
  const text = `[${'1'.repeat(1_000_000)}]`;
  expect(keepExactIntegers(text)).toBe(`["${'1'.repeat(1_000_000)}"]`);
});

test('strings full of digits, and numbers that a double can hold, are parsed as they were', () => {
  const text = fc.stringMatching(/^[0-9"\\:{}, ]{0,60}$/);
  const number = fc.oneof(fc.maxSafeInteger(), fc.double({ min: -1e15, max: 1e15, noNaN: true }));
  const value = fc.array(fc.oneof(text, number, fc.dictionary(text, number)));
  fc.assert(
    fc.property(value, (each) => {
      const json = JSON.stringify(each, undefined, 1);
      expect(parse(json)).toEqual(JSON.parse(json));
    }),
  );
});

test('an integer is the number, or its digits', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 40n), 10n ** 40n), (integer) => {
      const value = parse(`{"n":${integer}}`) as { n: number | string };
      expect(BigInt(value.n)).toBe(integer);
    }),
  );
});
