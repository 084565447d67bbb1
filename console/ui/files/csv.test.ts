import { expect, test } from '@jest/globals';
import { csvOf } from './csv.ts';
import { rowsOfCsv } from './csvRows.ts';

test('a table comes back from its CSV as it was', () => {
  const rows = [
    { name: 'Order 1, "the first"', note: 'two\nlines' },
    { name: '', note: ';' },
    { name: 'ünï', note: '' },
  ];
  expect(rowsOfCsv(csvOf(['name', 'note'], rows))).toEqual({ columns: ['name', 'note'], rows });
});

test('a text that a spreadsheet would run comes back without the mark against that, and with an apostrophe of its own', () => {
  const texts = ['+49 30 1234', '=1+1', '-5', '@ada', "'=1", "''-2", "'quoted", '\ttab', "it's"];
  const rows = texts.map((a) => ({ a }));
  expect(rowsOfCsv(csvOf(['a'], rows)).rows).toEqual(rows);
  expect(rowsOfCsv(csvOf(texts, [])).columns).toEqual(texts);
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

test('separators are found outside of quotes, or taken from the line of a spreadsheet; lines of old machines end with CR', () => {
  expect(rowsOfCsv('"name","kind;of;it",total\nA,x,5\n').columns).toEqual(['name', 'kind;of;it', 'total']);
  expect(rowsOfCsv('name|total\nA|5\n').rows).toEqual([{ name: 'A', total: '5' }]);
  expect(rowsOfCsv('sep=;\r\nname;total\r\nA,B;5\r\n').rows).toEqual([{ name: 'A,B', total: '5' }]);
  expect(rowsOfCsv('name,total\rA,5\rB,6\r').rows).toHaveLength(2);
});

test('a file that would lose cells is refused; columns that are empty are left out', () => {
  expect(() => rowsOfCsv('name,who,total\nA,B,1\nA,Smith, John,5\n')).toThrow(
    'row 2 has more cells than the 3 columns',
  );
  expect(() => rowsOfCsv('name,total\nA,1\n\nB,"x,2\nC,3\n')).toThrow('a quote in row 2 has no end');
  expect(() => rowsOfCsv('name,total,name\nA,1,B\n')).toThrow('two columns are called “name”');
  expect(() => rowsOfCsv('name,,total\nA,x,1\n')).toThrow('column 2 has no name');
  expect(rowsOfCsv('name,,total,,\nA,,1,,\n')).toEqual({
    columns: ['name', 'total'],
    rows: [{ name: 'A', total: '1' }],
  });
});
