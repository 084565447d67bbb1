import { expect, test } from '@jest/globals';
import { sizeOf, tableOf, textOf } from './jsonParts.ts';

test('a list of objects has the members of all of them as columns', () => {
  const { columns, rows, columnsLeft } = tableOf([{ a: 1, b: 'two' }, { b: [3], c: null }, 'text']);
  expect(columns).toEqual(['a', 'b', 'c']);
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['1', 'two', ''],
    ['', '[3]', 'null'],
    ['text', '', ''],
  ]);
  expect(columnsLeft).toBe(0);
  const wide = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`m${at}`, at]));
  expect(tableOf([wide])).toMatchObject({ columnsLeft: 5 });
});

test('any other value has a row for each member', () => {
  expect(tableOf({ a: 1, b: { c: 2 } }).rows.map(({ cells }) => cells)).toEqual([
    ['a', '1'],
    ['b', '{"c":2}'],
  ]);
  expect(tableOf(['x', 'y']).rows.map(({ cells }) => cells)).toEqual([
    ['0', 'x'],
    ['1', 'y'],
  ]);
  expect(tableOf(42).rows.map(({ cells }) => cells)).toEqual([['', '42']]);
});

test('long texts are cut, and sizes are counted', () => {
  expect(textOf('x'.repeat(2_001))).toHaveLength(2_001);
  expect(textOf('x'.repeat(2_001)).endsWith('…')).toBe(true);
  expect([sizeOf([1]), sizeOf({ a: 1, b: 2 })]).toEqual(['1 item', '2 members']);
});
