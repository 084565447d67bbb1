import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createStepKeys } from './stepKeys.ts';

const secret = () => randomBytes(32).toString('base64');
const old = `k1:${secret()}`;
const place = {
  lineageId: randomUUID(),
  nodeId: 'charge',
  iteration: '',
  inputs: { to: 'Ada', amount: 5 },
  completed: 0,
};

test('the key of a step is the same in every process, and another for other work', () => {
  const keyOf = createStepKeys(old);
  const others = [
    { ...place, nodeId: 'refund' },
    { ...place, iteration: '0' },
    { ...place, lineageId: randomUUID() },
    { ...place, inputs: { ...place.inputs, amount: 6 } },
    { ...place, completed: 1 },
  ];
  expect(createStepKeys(old)(place)).toBe(keyOf(place));
  expect(keyOf({ ...place, inputs: { amount: 5, to: 'Ada' } })).toBe(keyOf(place));
  expect(new Set([place, ...others].map((each) => keyOf(each))).size).toBe(6);
});

test('a key reveals nothing about the execution, and needs the secret', () => {
  const key = createStepKeys(old)(place);
  expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(key).not.toContain(place.lineageId);
  expect(createStepKeys(`k1:${secret()}`)(place)).not.toBe(key);
});

test('a new secret in front of the old one changes no key; without the old one they are others', () => {
  const fresh = `k2:${secret()}`;
  const key = createStepKeys(old)(place);
  expect(createStepKeys(`${fresh},${old}`)(place)).toBe(key);
  expect(createStepKeys(fresh)(place)).not.toBe(key);
});
