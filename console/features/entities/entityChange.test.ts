import { expect, test } from '@jest/globals';
import { changedByBoth, changeOf } from './entityChange.ts';

const BEFORE = { name: 'Order 1', attributes: { email: 'a@b', total: 5, lines: [{ id: 1 }] } };

test('a change has only what is not as it was', () => {
  const mine = { name: 'Order 1', attributes: { email: 'a@b', total: 6, lines: [{ id: 1 }], kind: null } };
  expect(changeOf(BEFORE, mine)).toEqual({ attributes: { total: 6 } });
  expect(changeOf(BEFORE, { ...BEFORE, name: 'Order 2' })).toEqual({ name: 'Order 2' });
  expect(changeOf(BEFORE, BEFORE)).toEqual({});
});

test('an attribute that is taken away is a change', () => {
  expect(changeOf(BEFORE, { ...BEFORE, attributes: { ...BEFORE.attributes, email: null } })).toEqual({
    attributes: { email: null },
  });
});

test('two changes meet where both change the same to something else', () => {
  const now = { name: 'Order 9', attributes: { ...BEFORE.attributes, email: 'c@d' } };
  expect(changedByBoth({ attributes: { total: 6 } }, BEFORE, now)).toBeUndefined();
  expect(changedByBoth({ attributes: { email: 'c@d' } }, BEFORE, now)).toBeUndefined();
  expect(changedByBoth({ name: 'Order 2', attributes: { email: 'e@f', total: 6 } }, BEFORE, now)).toEqual({
    name: true,
    attributes: ['email'],
  });
  // The user has seen the other person's value.
  expect(changedByBoth({ attributes: { email: 'e@f' } }, now, now)).toBeUndefined();
});

test('an attribute that both take away, or give, is no conflict', () => {
  const { email, ...rest } = BEFORE.attributes;
  expect(changedByBoth({ attributes: { email: null } }, BEFORE, { ...BEFORE, attributes: rest })).toBeUndefined();
  expect(changedByBoth({ attributes: { email } }, { ...BEFORE, attributes: rest }, BEFORE)).toBeUndefined();
});
