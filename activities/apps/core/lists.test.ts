import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { runExecutor } from '../runExecutor.ts';
import { filter } from './filter.ts';
import { group } from './group.ts';
import { mergeLists } from './mergeLists.ts';
import { sort } from './sort.ts';
import { summarise } from './summarise.ts';

const PEOPLE: JsonObject[] = [
  { name: 'Ada', city: 'London', total: 42, tags: ['vip'], address: { zip: 'N1' } },
  { name: 'Grace', city: 'New York', total: 7, tags: [], address: {} },
  { name: 'alan', city: 'London', total: null, tags: ['vip', 'new'] },
];

const invalid = (message: string) => ({ ok: false, failure: { code: 'INVALID_INPUT', message, retryable: false } });

describe('core.filter', () => {
  const names = async (where: Json, more: JsonObject = {}) => {
    const result = await runExecutor(filter, { items: PEOPLE, where, ...more });
    if (!result.ok) throw new Error(result.failure.message);
    return (result.output as { name: string }[]).map(({ name }) => name);
  };

  it.each<[JsonObject, string[]]>([
    [{ field: 'city', operator: 'equals', value: 'London' }, ['Ada', 'alan']],
    [{ field: 'city', operator: 'notEquals', value: 'London' }, ['Grace']],
    [{ field: 'total', operator: 'equals', value: '42' }, []],
    [{ field: 'total', operator: 'equals', value: null }, ['alan']],
    [{ field: 'nothing', operator: 'equals', value: null }, ['Ada', 'Grace', 'alan']],
    [{ field: 'total', operator: 'greaterThan', value: 7 }, ['Ada']],
    [{ field: 'total', operator: 'greaterOrEqual', value: 7 }, ['Ada', 'Grace']],
    [{ field: 'total', operator: 'lessThan', value: 42 }, ['Grace']],
    [{ field: 'total', operator: 'lessOrEqual', value: 42 }, ['Ada', 'Grace']],
    [{ field: 'total', operator: 'greaterThan', value: '1' }, []],
    [{ field: 'name', operator: 'contains', value: 'a' }, ['Ada', 'Grace', 'alan']],
    [{ field: 'name', operator: 'startsWith', value: 'A' }, ['Ada']],
    [{ field: 'name', operator: 'endsWith', value: 'ce' }, ['Grace']],
    [{ field: 'tags', operator: 'contains', value: 'vip' }, ['Ada', 'alan']],
    [{ field: 'tags', operator: 'notContains', value: 'vip' }, ['Grace']],
    [{ field: 'address', operator: 'contains', value: 'zip' }, ['Ada']],
    [{ field: 'address', operator: 'contains', value: 'toString' }, []],
    [{ field: 'name', operator: 'in', value: ['Ada', 'Grace'] }, ['Ada', 'Grace']],
    [{ field: 'name', operator: 'notIn', value: ['Ada', 'Grace'] }, ['alan']],
    [{ field: 'tags', operator: 'isEmpty' }, ['Grace']],
    [{ field: 'address', operator: 'isEmpty' }, ['Grace', 'alan']],
    [{ field: 'total', operator: 'isNotEmpty' }, ['Ada', 'Grace']],
    [{ field: 'tags.0', operator: 'equals', value: 'vip' }, ['Ada', 'alan']],
    [{ field: 'address.zip', operator: 'equals', value: 'N1' }, ['Ada']],
    [{ field: 'constructor', operator: 'isNotEmpty' }, []],
  ])('%j', async (rule, expected) => {
    expect(await names([rule])).toEqual(expected);
  });

  it('combines conditions, and ignores case on request', async () => {
    const where = [
      { field: 'city', operator: 'equals', value: 'London' },
      { field: 'name', operator: 'startsWith', value: 'g' },
    ];
    expect(await names(where)).toEqual([]);
    expect(await names(where, { match: 'any' })).toEqual(['Ada', 'alan']);
    expect(await names(where, { match: 'any', ignoreCase: true })).toEqual(['Ada', 'Grace', 'alan']);
    expect(await names([], { match: 'any' })).toEqual(['Ada', 'Grace', 'alan']);
  });

  it('names the place of each mistake', async () => {
    expect(await runExecutor(filter, { items: PEOPLE, where: [{ field: 'a', operator: 'like' }] })).toEqual(
      invalid(
        'where.0.operator: expected one of equals, notEquals, greaterThan, greaterOrEqual, lessThan, lessOrEqual, contains, notContains, startsWith, endsWith, in, notIn, isEmpty, isNotEmpty',
      ),
    );
    expect(await runExecutor(filter, { items: 'x', where: [{ operator: 'isEmpty', vaule: 1 }] })).toEqual(
      invalid('items: expected a list; where.0: unknown vaule'),
    );
  });
});

describe('core.sort', () => {
  it.each<[JsonObject, Json]>([
    [{ items: [3, 1, 2] }, [1, 2, 3]],
    [{ items: [10, 9, '10', '9', true, null] }, [true, 9, 10, '10', '9', null]],
    [{ items: ['b', 'A', 'a'] }, ['A', 'a', 'b']],
    [{ items: ['b', 'A', 'a'], ignoreCase: true }, ['A', 'a', 'b']],
    [{ items: ['b', 'a', 'A'], ignoreCase: true }, ['a', 'A', 'b']],
    [{ items: [null, 1, 2], by: [{ direction: 'desc' }] }, [2, 1, null]],
    [{ items: [] }, []],
  ])('%j', async (inputs, expected) => {
    expect(await runExecutor(sort, inputs)).toEqual({ ok: true, output: expected });
  });

  it('sorts by several fields, each in its direction, and does not change its input', async () => {
    const items = PEOPLE.map((person) => ({ ...person }));
    const by: JsonObject[] = [{ field: 'city' }, { field: 'total', direction: 'desc' }];
    const result = await runExecutor(sort, { items, by });
    expect(result).toEqual({ ok: true, output: [PEOPLE[0], PEOPLE[2], PEOPLE[1]] });
    expect(items).toEqual(PEOPLE);
  });

  it('orders every pair correctly and loses nothing', async () => {
    const item = fc.record({ key: fc.oneof(fc.integer(), fc.string(), fc.constant(null)), id: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(item), async (items) => {
        const result = await runExecutor(sort, { items, by: [{ field: 'key' }] });
        if (!result.ok) throw new Error(result.failure.message);
        const output = result.output as typeof items;
        expect(new Set(output)).toEqual(new Set(items));
        const again = await runExecutor(sort, { items: output, by: [{ field: 'key' }] });
        expect(again).toEqual(result);
      }),
    );
  });
});

describe('core.group', () => {
  it('groups by one field, in order of appearance', async () => {
    expect(await runExecutor(group, { items: PEOPLE, by: 'city' })).toEqual({
      ok: true,
      output: [
        { key: 'London', count: 2, items: [PEOPLE[0], PEOPLE[2]] },
        { key: 'New York', count: 1, items: [PEOPLE[1]] },
      ],
    });
  });

  it('groups by several, absent being null, and text apart from numbers', async () => {
    const items: JsonObject[] = [{ a: 1 }, { a: '1', b: null }, { a: 1, b: null }];
    expect(await runExecutor(group, { items, by: ['a', 'b'] })).toEqual({
      ok: true,
      output: [
        { key: { a: 1, b: null }, count: 2, items: [items[0], items[2]] },
        { key: { a: '1', b: null }, count: 1, items: [items[1]] },
      ],
    });
  });

  it('refuses a number as field', async () => {
    expect(await runExecutor(group, { items: [], by: 3 })).toEqual(
      invalid('by: expected a field name or a list of them'),
    );
  });
});

describe('core.summarise', () => {
  it('returns one object of figures', async () => {
    const measures: JsonObject[] = [
      { field: 'total', operation: 'sum' },
      { field: 'total', operation: 'average' },
      { field: 'total', operation: 'min' },
      { field: 'total', operation: 'max', as: 'most' },
      { field: 'total', operation: 'count' },
      { operation: 'count' },
      { field: 'city', operation: 'countDistinct', as: 'cities' },
      { field: 'name', operation: 'first' },
      { field: 'total', operation: 'last' },
    ];
    expect(await runExecutor(summarise, { items: PEOPLE, measures })).toEqual({
      ok: true,
      output: {
        sum_total: 49,
        average_total: 24.5,
        min_total: 7,
        most: 42,
        count_total: 2,
        count: 3,
        cities: 2,
        first_name: 'Ada',
        last_total: 7,
      },
    });
  });

  it('returns a row per group', async () => {
    const measures = [{ field: 'total', operation: 'sum', as: 'sum' }];
    expect(await runExecutor(summarise, { items: PEOPLE, by: 'city', measures })).toEqual({
      ok: true,
      output: [
        { city: 'London', sum: 42 },
        { city: 'New York', sum: 7 },
      ],
    });
  });

  it('has an answer for an empty list', async () => {
    const measures = ['sum', 'average', 'min', 'count', 'first'].map((operation) => ({ operation }));
    expect(await runExecutor(summarise, { items: [], measures })).toEqual({
      ok: true,
      output: { sum: 0, average: null, min: null, count: 0, first: null },
    });
    expect(await runExecutor(summarise, { items: [1, 2] })).toEqual({ ok: true, output: { count: 2 } });
  });

  it('adds without the drift of binary fractions', async () => {
    const items = Array.from({ length: 10 }, () => 0.1);
    const measures = [{ operation: 'sum' }];
    expect(await runExecutor(summarise, { items, measures })).toEqual({ ok: true, output: { sum: 1 } });
  });

  it('names the item that is no number, and a sum out of range', async () => {
    const measures = [{ field: 'n', operation: 'sum' }];
    expect(await runExecutor(summarise, { items: [{ n: 1 }, { n: '2' }], measures })).toEqual(
      invalid('items.1.n: expected a number'),
    );
    expect(await runExecutor(summarise, { items: [{ n: 1e308 }, { n: 1e308 }], measures })).toEqual(
      invalid('items: expected numbers whose sum is within range'),
    );
  });
});

describe('core.mergeLists', () => {
  const l1 = { id: 1, a: 'l1', only: 'l' };
  const l2 = { id: 2, a: 'l2' };
  const r2 = { id: 2, a: 'r2' };
  const r2b = { id: 2, a: 'r2b' };
  const r3 = { id: 3, a: 'r3' };
  const left: JsonObject[] = [l1, l2];
  const right: JsonObject[] = [r2, r2b, r3];

  it.each<[JsonObject, Json]>([
    [{ lists: [[1, 2], [2], [[3]]] }, [1, 2, 2, [3]]],
    [{ left: [1], right: [2] }, [1, 2]],
    [
      {
        lists: [
          [1, 2],
          [2, 3, 1],
        ],
        mode: 'union',
      },
      [1, 2, 3],
    ],
    [{ lists: [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]], mode: 'union' }, [{ a: 1, b: 2 }]],
    [{ left, right, mode: 'union', on: 'id' }, [l1, l2, r3]],
    [
      {
        lists: [
          [1, 2, 2, 3],
          [2, 3],
          [3, 2],
        ],
        mode: 'intersect',
      },
      [2, 3],
    ],
    [{ left, right, mode: 'intersect', on: ['id'] }, [l2]],
    [{ lists: [[1]], mode: 'intersect' }, [1]],
    [{ left, right, mode: 'join', on: 'id' }, [r2, r2b]],
    [{ left, right, mode: 'join', on: 'id', keepUnmatched: 'both' }, [l1, { id: 2, a: 'r2' }, { id: 2, a: 'r2b' }, r3]],
    [{ left, right: [{ id: 1, b: 1 }], mode: 'join', on: 'id' }, [{ id: 1, a: 'l1', only: 'l', b: 1 }]],
    [{ left: [{ a: 1 }], right: [{ b: 1 }, { id: null }], mode: 'join', on: 'id' }, []],
    [{ left: [{ a: 1 }], right: [{ b: 1 }], mode: 'join', on: 'id', keepUnmatched: 'both' }, [{ a: 1 }, { b: 1 }]],
    [{ left, right, mode: 'join', on: 'id', keepUnmatched: 'right' }, [r2, r2b, r3]],
  ])('%j', async (inputs, expected) => {
    expect(await runExecutor(mergeLists, inputs)).toEqual({ ok: true, output: expected });
  });

  it.each<[JsonObject, string]>([
    [{}, 'lists: expected either lists, or both left and right'],
    [{ left }, 'lists: expected either lists, or both left and right'],
    [{ lists: [left], right }, 'lists: expected either lists, or both left and right'],
    [{ lists: [1] }, 'lists.0: expected a list'],
    [{ left, right, mode: 'join' }, 'on: expected the field that the lists share'],
    [{ lists: [left, right, left], mode: 'join', on: 'id' }, 'lists: expected two lists to join'],
    [{ left, right: [1], mode: 'join', on: 'id' }, 'right.0: expected an object'],
  ])('refuses %j', async (inputs, message) => {
    expect(await runExecutor(mergeLists, inputs)).toEqual(invalid(message));
  });

  it('refuses a join that multiplies beyond measure', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ({ n, same: 1 }));
    expect(await runExecutor(mergeLists, { left: many, right: many, mode: 'join', on: 'same' })).toMatchObject({
      failure: { code: 'TOO_MANY_ROWS', retryable: false },
    });
  });
});
