import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../json.ts';
import { compileValue } from './compiledValue.ts';
import { failure, scope, value } from './evaluation.fixture.ts';

describe('numbers', () => {
  test.each<[string, Json]>([
    ['trigger.n + 1', 6],
    ['1 + trigger.n', 6],
    ['trigger.n / 2', 2.5],
    ['7 / 2', 3],
    ['-7 / 2', -3],
    ['7.0 / 2', 3.5],
    ['size(trigger.body.items) / 2', 1],
    ['trigger.n % 2', 1],
    ['7 % 4', 3],
    ['trigger.n - 1.5', 3.5],
    ['trigger.half * 3', 1.5],
    ['trigger.n == 5', true],
    ['1 == 1.0', true],
    ['trigger.n > 4', true],
    ['trigger.n in [1, 5]', true],
    ['5.0 in [1, 5]', true],
    ['-trigger.n', -5],
    ['9007199254740992', 2 ** 53],
    ['trigger.big - 1', 2 ** 53 - 1],
    ['6.02e23 * 2.0', 12.04e23],
    ['trigger.body.items.map(i, i.a + 1)', [3, 2, 3]],
    ['[trigger.n + 1].map(x, x)', [6]],
    ['[1, "a", null, trigger.n]', [1, 'a', null, 5]],
    ['[1] + ["a"]', [1, 'a']],
    ['trigger.n > 3 ? "a" : null', 'a'],
  ])('%s', (expression, expected) => expect(value(expression)).toEqual(expected));

  test.each([
    ['trigger.n / 0', 'division by zero'],
    ['1 / 0', 'division by zero'],
    ['1.0 / 0.0', 'division by zero'],
    ['trigger.n % 0', 'division by zero'],
    ['9007199254740993', 'beyond 2^53'],
    ['9007199254740992 + 1', 'beyond 2^53'],
    ['trigger.big + 1', 'beyond 2^53'],
    ['trigger.big * trigger.big', 'beyond 2^53'],
    ['sum([trigger.big, 1])', 'beyond 2^53'],
    ['[trigger.big, trigger.big].avg()', 'beyond 2^53'],
    ['1e308 * 10.0', 'too large'],
    ['sum([1e308, 1e308])', 'too large'],
    ['double("NaN")', 'NaN'],
    ['double("Infinity")', 'Infinity'],
    ['trigger.n + "a"', 'double + string'],
  ])('%s fails', (expression, said) => expect(failure(() => value(expression)).message).toContain(said));

  test.each<[string, Json]>([
    ['{"a": 1} == {"a": 1.0}', true],
    ['{"a": 1} == {"a": trigger.n}', false],
    ['{"a": 1} != {"a": "x"}', true],
    ['{"a": {"b": [1]}} == {"a": {"b": [1.0]}}', true],
    ['{"a": 1} in [{"a": 1.0}]', true],
    ['[{"a": 1}] == [{"a": "x"}]', false],
  ])('%s: maps of mixed types are compared by value', (expression, expected) =>
    expect(value(expression)).toEqual(expected),
  );

  test.each(['{"a": 1} < {"a": 2}', '{"a": 1} > {"b": "x"}'])('%s has no order', (expression) =>
    expect(failure(() => value(expression)).message).toContain('no such overload'),
  );

  test('sums, differences and products of whole numbers are exact or refused', () => {
    const whole = fc.integer({ min: -(2 ** 53), max: 2 ** 53 });
    fc.assert(
      fc.property(whole, whole, fc.constantFrom('+', '-', '*'), (a, b, operator) => {
        const compiled = compileValue(`{{ trigger.a ${operator} trigger.b }}`);
        const exact = { '+': BigInt(a) + BigInt(b), '-': BigInt(a) - BigInt(b), '*': BigInt(a) * BigInt(b) }[operator];
        const run = () => compiled.evaluate({ ...scope, trigger: { a, b } });
        if (exact <= 2n ** 53n && exact >= -(2n ** 53n)) expect(BigInt(run() as number)).toBe(exact);
        else expect(failure(run).reason).toContain('beyond 2^53');
      }),
    );
  });
});

describe('conversions', () => {
  test.each<[string, Json]>([
    ['string(timestamp("2026-01-02T03:04:05.678+01:00"))', '2026-01-02T02:04:05.678Z'],
    ['"on " + string(timestamp("2026-01-02"))', 'on 2026-01-02T00:00:00.000Z'],
    ['int(timestamp("1970-01-01T00:01:00.9Z"))', 60],
    ['int(timestamp("1969-12-31T23:59:59.5Z"))', -1],
    ['string(duration("1h30m"))', '5400s'],
    ['string(duration("-250ms"))', '-0.25s'],
    ['string(trigger.n)', '5'],
    ['int("12") + 1', 13],
  ])('%s', (expression, expected) => expect(value(expression)).toEqual(expected));
});
