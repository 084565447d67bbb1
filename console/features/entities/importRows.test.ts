import { expect, test } from '@jest/globals';
import { guessedTargets, importRows, someRows } from './importRows.ts';

test('rows come from CSV, or from a JSON array of objects', () => {
  expect(importRows('Order,Total\nA,5\n')).toEqual({ columns: ['Order', 'Total'], rows: [{ Order: 'A', Total: '5' }] });
  expect(importRows(' [{"a": 1}, {"b": null}]')).toEqual({ columns: ['a', 'b'], rows: [{ a: 1 }, { b: null }] });
});

test('a text that is neither says what is wrong with it', () => {
  expect(() => importRows('{"a": 1}')).toThrow('a JSON array of objects is expected');
  expect(() => importRows('[{}, 3]')).toThrow('row 2 is no object');
  expect(() => importRows('[{]')).toThrow(SyntaxError);
});

test('a column goes to the target of its name, and others to none', () => {
  expect(guessedTargets(['Name', ' total ', 'x'], ['name', 'total', 'state'])).toEqual({
    Name: 'name',
    ' total ': 'total',
  });
});

test('some rows are a text of the same kind, with their values as they were', () => {
  const csv = 'name;note\nA;=1\nB;-5\nC;"x, ""y"""\n';
  const { rows } = importRows(csv);
  expect(importRows(someRows(csv, new Set([2, 3])))).toEqual({ columns: ['name', 'note'], rows: rows.slice(1) });
  expect(JSON.parse(someRows('[{"a": -1}, {"a": {"b": [1]}}]', new Set([2])))).toEqual([{ a: { b: [1] } }]);
});
