import { expect, test } from '@jest/globals';
import { v7, validate, version } from 'uuid';
import { derivedId } from './derivedId.ts';

const base = v7();

test('is a UUIDv7 that follows from base and key alone', () => {
  const id = derivedId(base, 'a key');
  expect(validate(id)).toBe(true);
  expect(version(id)).toBe(7);
  expect(derivedId(base.toUpperCase(), 'a key')).toBe(id);
  expect(derivedId(base, 'another key')).not.toBe(id);
  expect(derivedId(v7(), 'a key')).not.toBe(id);
});

test('its time is that of the base, or the given one', () => {
  expect(derivedId(base, 'x').slice(0, 13)).toBe(base.slice(0, 13));
  const ms = Date.UTC(2026, 10, 21);
  expect(derivedId(base, 'x', ms).replace('-', '').slice(0, 12)).toBe(ms.toString(16).padStart(12, '0'));
});
