import { expect, test } from '@jest/globals';
import { columnsOf, columnsText, moved, shownColumns, usualColumns } from './objectColumns.ts';

const properties = Object.fromEntries(['a', 'b', 'c,d', 'e', 'f', '50%2C'].map((name) => [name, { type: 'string' }]));
const type = {
  attributeSchema: { type: 'object', properties },
  stateSchema: { initial: 'new', states: [{ id: 'new' }], transitions: [] },
} as unknown as Parameters<typeof columnsOf>[0];

test('by default, a table of entities has the state, five attributes and the time of change', () => {
  expect(usualColumns(type)).toEqual([
    'state',
    ...['a', 'b', 'c,d', 'e', 'f'].map((name) => `attributes.${name}`),
    'updated',
  ]);
  expect(usualColumns({ ...type, stateSchema: null })).not.toContain('state');
  expect(shownColumns(type, undefined)).toEqual(usualColumns(type));
  expect(columnsText(type, usualColumns(type))).toBeUndefined();
});

test('columns come from the address in its order, whatever their names are', () => {
  for (const shown of [['owner', 'attributes.50%2C', 'attributes.c,d'], ['updated'], [], columnsOf(type)]) {
    expect(shownColumns(type, columnsText(type, shown))).toEqual(shown);
  }
  expect(shownColumns(type, 'attributes.gone,owner,owner')).toEqual(['owner']);
});

test('a column is moved within the list alone', () => {
  expect(moved(['a', 'b', 'c'], 2, -1)).toEqual(['a', 'c', 'b']);
  expect(moved(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(['a', 'b', 'c'], 0, -1)).toEqual(['a', 'b', 'c']);
  expect(moved(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c']);
});
