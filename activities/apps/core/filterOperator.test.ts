import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject, type Json } from '../../../domain/json.ts';
import type { RuleOperator } from '../../../domain/rule/rule.ts';
import { runExecutor } from '../runExecutor.ts';
import { filter } from './filter.ts';
import { filterTest } from './filterOperator.ts';
import { sort } from './sort.ts';
import { summarise } from './summarise.ts';

const scalar = fc.constantFrom<Json[]>(null, true, false, 0, -0, 1, 1.5, '', 'a', 'A', 'ab', '1', 'null', '__proto__');
const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { weight: 4, arbitrary: scalar },
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'A', 'b'), tie('value'), { maxKeys: 2 }),
  ),
})).value;

function same(left: Json, right: Json): boolean {
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((entry, index) => same(entry, right[index] as Json));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return left === right;
  const keys = Object.keys(left);
  const others = Object.keys(right);
  return (
    keys.length === others.length &&
    keys.every((key) => others.includes(key) && same(left[key] ?? null, right[key] ?? null))
  );
}

function holdsPart(whole: Json, part: Json): boolean {
  if (Array.isArray(whole)) return whole.some((entry) => same(entry, part));
  if (isJsonObject(whole)) return Object.keys(whole).some((key) => key === part);
  return typeof whole === 'string' && typeof part === 'string' && whole.includes(part);
}

const PLAIN: [RuleOperator, (actual: Json, expected: Json) => boolean][] = [
  ['equals', same],
  ['notEquals', (actual, expected) => !same(actual, expected)],
  ['contains', holdsPart],
  ['notContains', (actual, expected) => !holdsPart(actual, expected)],
  ['in', (actual, expected) => holdsPart(expected, actual)],
  ['notIn', (actual, expected) => !holdsPart(expected, actual)],
];

it.each(PLAIN)('%s, prepared once, gives the same result for each value', (operator, plain) => {
  fc.assert(
    fc.property(value, fc.array(value), (expected, actuals) => {
      const test = filterTest(operator, expected, false);
      expect(actuals.map(test)).toEqual(actuals.map((actual) => plain(actual, expected)));
    }),
  );
});

function counted(id: number, count: () => void): Json {
  return Object.defineProperty({}, 'id', {
    enumerable: true,
    get() {
      count();
      return id;
    },
  });
}

it.each(['in', 'notIn'])('%s reads each entry of its operand once, however many items there are', async (operator) => {
  let reads = 0;
  const operand = Array.from({ length: 100 }, (_, id) => counted(id, () => (reads += 1)));
  const items = Array.from({ length: 200 }, (_, id) => ({ id }));
  const found = await runExecutor(filter, { items, where: [{ operator, value: operand }] });
  expect(found).toEqual({ ok: true, output: operator === 'in' ? items.slice(0, 100) : items.slice(100) });
  expect(reads).toBe(100);
});

it('20,000 items in a list of 20,000 take bounded time', async () => {
  const list = Array.from({ length: 20_000 }, (_, index) => `order ${index}`);
  const items = list.map((id, index) => ({ id: index % 2 === 0 ? id : `no ${id}` }));
  const where = [{ field: 'id', operator: 'in', value: list }];
  const found = await runExecutor(filter, { items, where, ignoreCase: true });
  expect(found).toEqual({ ok: true, output: items.filter((_, index) => index % 2 === 0) });
});

it('objects are written as text once each, to sort them and to find the least', async () => {
  let reads = 0;
  const values = Array.from({ length: 100 }, (_, index) => counted((index * 37) % 100, () => (reads += 1)));
  await runExecutor(sort, { items: values });
  expect(reads).toBe(100);
  await runExecutor(summarise, { items: values, measures: [{ field: '', operation: 'min' }] });
  expect(reads).toBe(200);
});

it('an order of objects and lists is that of their texts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(value), async (items) => {
      const sorted = await runExecutor(sort, { items });
      const again = await runExecutor(sort, { items: [...items].reverse() });
      if (!sorted.ok || !again.ok) throw new Error('not sorted');
      expect(JSON.stringify(canonical(again.output))).toBe(JSON.stringify(canonical(sorted.output)));
    }),
  );
});

function canonical(json: Json): Json {
  if (Array.isArray(json)) return json.map(canonical);
  if (!isJsonObject(json)) return json;
  return Object.fromEntries(
    Object.keys(json)
      .sort()
      .map((key) => [key, canonical(json[key] as Json)]),
  );
}
