import { expect, test } from '@jest/globals';
import { guessedTargets, importRows } from './importRows.ts';

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
