import { expect, test } from '@jest/globals';
import { withoutRepeats } from './repeatedItems.ts';

const rows = [
  { externalId: 'B-1', priority: 3, data: { amount: 10 } },
  { data: { amount: 20 } },
  { externalId: 'B-1', data: { amount: 30 } },
  { data: { amount: 20 } },
];

test('of rows with the same external id the first is added, and the others are named', () => {
  expect(withoutRepeats(rows, 'skip')).toEqual({
    items: [rows[0], rows[1], rows[3]],
    repeated: [{ row: 3, externalId: 'B-1' }],
  });
});

test('where items are updated the last values of an external id are added', () => {
  expect(withoutRepeats(rows, 'update')).toEqual({
    items: [{ externalId: 'B-1', priority: 3, data: { amount: 30 } }, rows[1], rows[3]],
    repeated: [{ row: 3, externalId: 'B-1' }],
  });
});
