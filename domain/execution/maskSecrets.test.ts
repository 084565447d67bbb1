import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../json.ts';
import { maskSecrets } from './maskSecrets.ts';

test('a secret is masked alone and inside texts, at any depth', () => {
  const value = { a: 'hunter22', b: ['Bearer hunter22', 'hunter2'], c: { d: 7, e: null, f: true } };
  expect(maskSecrets(value, ['hunter22'])).toEqual({ a: '***', b: ['Bearer ***', 'hunter2'], c: value.c });
});

test('a short secret is masked only where it is the whole text', () => {
  expect(maskSecrets(['1', '10', 'a1'], ['1'])).toEqual(['***', '10', 'a1']);
});

test('a secret inside another leaves nothing of either, and a dollar is no pattern', () => {
  expect(maskSecrets('abcdef abcdefghi $&$&$&', ['abcdef', 'abcdefghi', '$&$&$&'])).toBe('*** *** ***');
});

test('no long secret is left anywhere, and nothing changes without secrets', () => {
  const secret = fc.stringMatching(/^[a-z]{6,12}$/);
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  fc.assert(
    fc.property(json, secret, fc.string(), (value, text, around) => {
      const holding = [value, `${around}${text}${around}`, { [around]: text }];
      expect(JSON.stringify((maskSecrets(holding, [text]) as Json[])[1])).not.toContain(text);
      expect(maskSecrets(holding, [])).toEqual(holding);
    }),
  );
});
