import { expect, test } from '@jest/globals';
import { MAX_ITEMS, pastedItems, withoutRepeats } from './pastedItems.ts';

type Case = [about: string, text: string, items: object[], numbers?: string[]];

test.each([
  ['nothing', '  ', []],
  ['data as JSON', '[{"a": 1}, {"a": 2}]', [{ data: { a: 1 } }, { data: { a: 2 } }]],
  [
    'items as JSON',
    '{"externalId": "x", "priority": 5, "data": {"a": 1}}',
    [{ externalId: 'x', priority: 5, data: { a: 1 } }],
  ],
  [
    'data with a member called data',
    '{"data": {"a": 1}, "colour": "red"}',
    [{ data: { data: { a: 1 }, colour: 'red' } }],
  ],
  [
    'CSV with its own columns',
    'externalId,priority,amount\nx,10,"4,5"\ny,,7',
    [
      { externalId: 'x', priority: 10, data: { amount: '4,5' } },
      { externalId: 'y', data: { amount: '7' } },
    ],
    [],
  ],
  [
    'numbers of CSV, but no ids that a number would change',
    'total,zip,account,rate,word\n10,01234,9007199254740993,0.5,x\n-3,2,1,,7',
    [
      { data: { total: 10, zip: '01234', account: '9007199254740993', rate: 0.5, word: 'x' } },
      { data: { total: -3, zip: '2', account: '1', rate: null, word: '7' } },
    ],
    ['total', 'rate'],
  ],
  ['what a spreadsheet copies', 'name\tcity\nAda\tLondon', [{ data: { name: 'Ada', city: 'London' } }], []],
  ['semicolons', 'name;city\nAda;London', [{ data: { name: 'Ada', city: 'London' } }], []],
] as Case[])('%s', async (...[, text, items, numbers]: Case) => {
  expect(await pastedItems(text)).toEqual({ items, ...(numbers === undefined ? {} : { numbers }) });
});

test('a column of numbers can be read as text', async () => {
  expect(await pastedItems('a,b\n1,2', ['b'])).toEqual({ items: [{ data: { a: 1, b: '2' } }], numbers: ['a', 'b'] });
});

test.each([
  ['[{"a": 1}, 2]', 'Entry 2 is not an object.'],
  ['{"a": ', /^This is not JSON: /],
  ['a,a\n1,2', 'This is not CSV: two columns are called “a”.'],
  ['a,priority\n1,high', 'The priority of row 1 is not a whole number.'],
  ['a,b\n1,2,3', /^This is not CSV: row 1 has more cells than the 2 columns/],
  [JSON.stringify(Array.from({ length: MAX_ITEMS + 1 }, () => ({}))), 'At most 10,000 at once.'],
])('reports what is wrong: %.20s', async (text, problem) => {
  expect(await pastedItems(text)).toEqual({
    problem: typeof problem === 'string' ? problem : expect.stringMatching(problem),
  });
});

const rows = [
  { externalId: 'B-1', priority: 3, data: { amount: 10 } },
  { data: { amount: 20 } },
  { externalId: 'B-1', data: { amount: 30 } },
  { data: { amount: 20 } },
];

test('skip adds the first of the rows with one external ID and lists the others', () => {
  expect(withoutRepeats(rows, 'skip')).toEqual({
    items: [rows[0], rows[1], rows[3]],
    repeated: [{ row: 3, externalId: 'B-1' }],
  });
});

test('update adds the last values of an external ID', () => {
  expect(withoutRepeats(rows, 'update')).toEqual({
    items: [{ externalId: 'B-1', priority: 3, data: { amount: 30 } }, rows[1], rows[3]],
    repeated: [{ row: 3, externalId: 'B-1' }],
  });
});
