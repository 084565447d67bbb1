import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { derivedId, timeOf } from '../../domain/derivedId.ts';
import { createExecutionIds } from './executionIds.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [old, fresh] = [key('k1'), key('k2')];
const BASE = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';

test('the same in every process and each try, and nobody without the key works it out', () => {
  const id = createExecutionIds(old)(BASE, 'run sub ');
  expect(createExecutionIds(old)(BASE.toUpperCase(), 'run sub ')).toBe(id);
  expect(createExecutionIds(`${fresh},${old}`)(BASE, 'run sub ')).toBe(id);
  expect(createExecutionIds(fresh)(BASE, 'run sub ')).not.toBe(id);
  expect(createExecutionIds(old)(BASE, 'run other ')).not.toBe(id);
  expect(id).not.toBe(derivedId(BASE, 'run sub '));
});

test('its time is that of the base, or the given one', () => {
  expect(timeOf(createExecutionIds(old)(BASE, 'a'))).toBe(timeOf(BASE));
  expect(timeOf(createExecutionIds(old)(BASE, 'a', 1_700_000_000_000))).toBe(1_700_000_000_000);
});
