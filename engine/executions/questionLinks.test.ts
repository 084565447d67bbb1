import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { iterationOf, QuestionLinks } from './questionLinks.ts';

const secret = () => randomBytes(32).toString('base64');
const [old, fresh] = [`k1:${secret()}`, `k2:${secret()}`];
const links = (keys: string) => new QuestionLinks(keys, 'https://perdure.example');
const place = { executionId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', nodeId: 'ask', iteration: 'outer:3/inner:0' };
const top = { ...place, iteration: '' };

test('a link is the address of the answer with a token of 32 bytes', () => {
  const link = new URL(links(old).linkOf(top));
  expect(link.origin).toBe('https://perdure.example');
  expect(link.pathname).toBe(`/api/webhooks/executions/${place.executionId}/nodes/ask/input`);
  expect(Buffer.from(String(link.searchParams.get('token')), 'base64url')).toHaveLength(32);
});

test('the same in every process, good for its own question alone', () => {
  const token = links(old).tokenOf(place);
  expect(links(old).tokenOf(place)).toBe(token);
  expect(links(old).isTokenOf(token, place)).toBe(true);
  const others = [{ nodeId: 'other' }, { iteration: 'outer:3/inner:1' }, { iteration: '' }, { executionId: 'x' }];
  for (const other of others) expect(links(old).isTokenOf(token, { ...place, ...other })).toBe(false);
  expect(links(fresh).isTokenOf(token, place)).toBe(false);
});

test('a rotation of keys leaves links good until the old key is gone', () => {
  const before = links(old).linkOf(place);
  const token = links(old).tokenOf(place);
  expect(links(`${fresh},${old}`).linkOf(place)).toBe(before);
  expect(links(`${old},${fresh}`).isTokenOf(token, place)).toBe(true);
  expect(links(`${fresh},${old}`).isTokenOf(links(fresh).tokenOf(place), place)).toBe(true);
});

test('the iteration is read of the token, and any text is read', () => {
  expect(iterationOf(links(old).tokenOf(place))).toBe(place.iteration);
  expect(iterationOf(links(old).tokenOf(top))).toBe('');
  expect(iterationOf(`x.${Buffer.from('a\0').toString('base64url')}`)).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(links(old).isTokenOf(text, top)).toBe(false);
      expect(iterationOf(text)?.includes('\0')).not.toBe(true);
    }),
  );
});
