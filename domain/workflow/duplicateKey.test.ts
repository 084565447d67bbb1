import { expect, test } from '@jest/globals';
import { compileValue } from '../expression/compiledValue.ts';
import type { Json } from '../json.ts';
import { duplicateKeyOf, duplicateKeyTemplate } from './duplicateKey.ts';

const keyOf = (key: string, trigger: Json) => duplicateKeyOf(compileValue(duplicateKeyTemplate(key)), key, trigger);

test.each([
  ['{{ trigger.body.id }}', 'a', 'a'],
  ['trigger.body.id', 'a', 'a'],
  ['{{ trigger.body.id }}', 17, '17'],
  ['{{ trigger.body.id }}', '17', '17'],
  ['{{ trigger.body.id }}', 0, '0'],
  ['order {{ trigger.body.id }}', 17, 'order 17'],
])('%s of %j', (key, id, expected) => {
  expect(keyOf(key, { body: { id } })).toBe(expected);
});

test.each([[null], [true], [''], [{}], [['a']]])('%j is no key', (id) => {
  for (const key of ['{{ trigger.body.id }}', 'trigger.body.id']) {
    const place = 'expected text or a number (at position 0 of {{ trigger.body.id }})';
    expect(() => keyOf(key, { body: { id } })).toThrow(place);
  }
});

test('a request without the fields of the key', () => {
  expect(() => keyOf('trigger.body.id', { body: {} })).toThrow(/id/);
  expect(() => keyOf('trigger.body.id + execution.id', { body: { id: 'a' } })).toThrow(/id/);
});
