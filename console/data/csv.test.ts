import { expect, test } from '@jest/globals';
import { csvOf, rowsOfCsv } from './csv.ts';

test('a table comes back from its CSV as it was', () => {
  const rows = [
    { name: 'Order 1, "the first"', note: 'two\nlines' },
    { name: '', note: ';' },
    { name: 'ünï', note: '' },
  ];
  expect(rowsOfCsv(csvOf(['name', 'note'], rows))).toEqual({ columns: ['name', 'note'], rows });
});

test('numbers, objects and nothing have their own forms', () => {
  expect(csvOf(['a', 'b', 'c', 'd'], [{ a: 1.5, b: { x: [1] }, c: null }])).toBe('a,b,c,d\r\n1.5,"{""x"":[1]}",,\r\n');
});

test('a text that a spreadsheet would run is no formula; a negative number stays one', () => {
  expect(csvOf(['a', 'b'], [{ a: '=HYPERLINK("x")', b: -1 }])).toBe(`a,b\r\n"'=HYPERLINK(""x"")",-1\r\n`);
});

test('files of spreadsheets are read: byte order mark, semicolons, blank lines, short rows', () => {
  expect(rowsOfCsv('\uFEFFname;total\nA;1,5\n\n"B;C"\n')).toEqual({
    columns: ['name', 'total'],
    rows: [
      { name: 'A', total: '1,5' },
      { name: 'B;C', total: '' },
    ],
  });
  expect(rowsOfCsv('')).toEqual({ columns: [], rows: [] });
});
