import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../json.ts';
import { maskSecrets, secretsIn } from './maskSecrets.ts';

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

test.each([
  ['as JSON in a text', (secret: string) => JSON.stringify({ a: secret })],
  ['twice as JSON', (secret: string) => JSON.stringify(JSON.stringify(`${secret}`)).slice(1, -1)],
  ['in a URL', (secret: string) => `https://a.test/?q=${encodeURIComponent(secret)}`],
  ['in a form', (secret: string) => new URLSearchParams({ q: secret }).toString()],
  ['as Base64', (secret: string) => Buffer.from(secret).toString('base64')],
  ['as Base64 behind a user name', (secret: string) => Buffer.from(`ann:${secret}`).toString('base64')],
  ['as Base64 in the middle', (secret: string) => Buffer.from(`x-${secret}-and more`).toString('base64url')],
  ['as hexadecimal digits', (secret: string) => Buffer.from(secret).toString('hex')],
])('a secret %s is masked', (_, form) => {
  for (const secret of ['hunter22', 'p"w\\d/?&+ ü', 'a-much-longer-secret-of-somebody', '~~~>>>???']) {
    const plain = form(secret);
    const shown = String(maskSecrets(`before ${plain} after`, [secret]));
    expect(shown).toMatch(/^before .*\*\*\*.* after$/);
    // Base64 keeps only the digits that the secret shares with its neighbours.
    expect(shown.length).toBeLessThan(`before ${plain} after`.length);
  }
});

test('a secret that is a key, or a number, is masked, and no member is lost', () => {
  const value = { hunter22: 1, 'x-hunter22': 2, 'hunter22-x': 3, swordfish: 4, '***': 5, n: 123456, m: [1234567] };
  expect(maskSecrets(value, ['hunter22', 'swordfish', '123456'])).toEqual({
    '*** (2)': 1,
    'x-***': 2,
    '***-x': 3,
    '*** (3)': 4,
    '***': 5,
    n: '***',
    m: [1234567],
  });
});

test('secretsIn lists exactly the secrets that masking would replace', () => {
  const secrets = ['hunter22', 'no', '17', '', 'absent-secret'];
  const value = { list: ['a hunter22 b', 17], no: true, nothing: null };
  expect(secretsIn(value, secrets)).toEqual(['hunter22', 'no', '17']);
  expect(secretsIn({ note: 'nothing of it', at: 170 }, secrets)).toEqual([]);
  expect(secretsIn(Buffer.from('ann:hunter22').toString('base64'), secrets)).toEqual(['hunter22']);
});
