import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compileValue } from '../expression/compiledValue.ts';
import type { Scope } from '../expression/scope.ts';
import { isEqualJson } from '../isEqualJson.ts';
import type { Json } from '../json.ts';
import { readRules } from './readRules.ts';
import { needsValue, RULE_OPERATORS, type Rule, type RuleOperator, type Rules } from './rule.ts';
import { ruleExpression } from './ruleExpression.ts';
import { pathOfKeys, type RuleKeys } from './rulePath.ts';

const key = fc.oneof(
  fc.constantFrom('total', 'a-b', 'in', 'null', 'loop', 'with space', 'q"uote', 'item'),
  fc.integer({ min: 0, max: 2 }),
);
const field = fc
  .tuple(fc.constantFrom('trigger', 'steps', 'variables', 'loop'), fc.constantFrom('body', 'x y', 'in'), fc.array(key))
  .map(([root, first, rest]) => pathOfKeys([root, first, ...rest.slice(0, 3)] as RuleKeys));

const plain = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('{{')),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
  fc.boolean(),
);
const json: fc.Arbitrary<Json> = fc.oneof(
  plain,
  fc.constant(null),
  fc.array(plain, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b c'), plain),
  fc.constant('{{ variables.limit }}'),
  fc.constant('{{ trigger.a + 1 }}'),
);

const rule = fc
  .tuple(field, fc.constantFrom(...RULE_OPERATORS), json)
  .map(
    ([path, operator, value]): Rule =>
      needsValue(operator) ? { field: path, operator, value } : { field: path, operator },
  );
const rules: fc.Arbitrary<Rules> = fc
  .record({
    match: fc.constantFrom('all' as const, 'any' as const),
    rules: fc.array(rule, { minLength: 1, maxLength: 5 }),
  })
  .map((given) => (given.rules.length === 1 ? { ...given, match: 'all' as const } : given));

test('rules become an expression, and the expression the same rules', () => {
  fc.assert(
    fc.property(rules, (given) => {
      expect(readRules(ruleExpression(given))).toEqual(given);
    }),
    { numRuns: 2_000 },
  );
});

/** Says what a rule means; undefined if the value has a type that the operator does not take. */
function meaning({ operator, value = null }: Rule, actual: Json | undefined): boolean | undefined {
  const isIn = (list: Json) => Array.isArray(list) && list.some((each) => isEqualJson(each, actual ?? null));
  const isText = typeof actual === 'string' && typeof value === 'string';
  const isMissing = actual === undefined || actual === null;
  const compared = (test: (a: string | number, b: string | number) => boolean) => {
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    if (isMissing) return false;
    return typeof actual === typeof value ? test(actual as string | number, value) : undefined;
  };
  const holds = () => {
    if (isMissing) return false;
    if (isText) return (actual as string).includes(value as string);
    return Array.isArray(actual) ? actual.some((each) => isEqualJson(each, value)) : undefined;
  };
  const empty = isMissing || actual === '' || JSON.stringify(actual) === '[]' || JSON.stringify(actual) === '{}';
  const texts = (test: (a: string, b: string) => boolean) =>
    isMissing && typeof value === 'string' ? false : isText ? test(actual as string, value as string) : undefined;
  const not = (is: boolean | undefined) => (is === undefined ? undefined : !is);
  const isAmong = Array.isArray(value) ? isIn(value) : undefined;
  const meanings: Record<RuleOperator, boolean | undefined> = {
    equals: isEqualJson(actual ?? null, value),
    notEquals: !isEqualJson(actual ?? null, value),
    greaterThan: compared((a, b) => a > b),
    greaterOrEqual: compared((a, b) => a >= b),
    lessThan: compared((a, b) => a < b),
    lessOrEqual: compared((a, b) => a <= b),
    contains: holds(),
    notContains: not(holds()),
    startsWith: texts((a, b) => a.startsWith(b)),
    endsWith: texts((a, b) => a.endsWith(b)),
    in: isAmong,
    notIn: not(isAmong),
    isEmpty: empty,
    isNotEmpty: !empty,
  };
  return meanings[operator];
}

/** Texts below U+D800, which our evaluator and JavaScript order alike. */
const small = fc.oneof(fc.constantFrom('', 'a', 'ab', 'b', 'Zürich'), fc.integer({ min: -3, max: 3 }), fc.boolean());
const value: fc.Arbitrary<Json> = fc.oneof(
  small,
  fc.constant(null),
  fc.array(small, { maxLength: 3 }),
  fc.constant({}),
);

test('the expression means what the rules say, also if the field is missing', () => {
  let decided = 0;
  fc.assert(
    fc.property(
      fc.constantFrom('all' as const, 'any' as const),
      fc.array(fc.tuple(fc.constantFrom(...RULE_OPERATORS), value, fc.option(value, { nil: undefined })), {
        minLength: 1,
        maxLength: 3,
      }),
      (match, drawn) => {
        const given = drawn.map(([operator, wanted], index): Rule => {
          const path = `trigger.body.f${index}`;
          return needsValue(operator) ? { field: path, operator, value: wanted } : { field: path, operator };
        });
        const meant = given.map((each, index) => meaning(each, drawn[index]?.[2]));
        fc.pre(meant.every((each) => each !== undefined));
        const members = drawn.flatMap(([, , actual], index) => (actual === undefined ? [] : [[`f${index}`, actual]]));
        const body = Object.fromEntries(members) as Record<string, Json>;
        // The body itself may be missing.
        const trigger = members.length === 0 ? {} : { body };
        const scope = { trigger, steps: {}, variables: {} } as unknown as Scope;
        const expression = `{{ ${ruleExpression({ match, rules: given })} }}`;
        decided += 1;
        expect({ expression, is: compileValue(expression).evaluate(scope) }).toEqual({
          expression,
          is: match === 'all' ? meant.every(Boolean) : meant.some(Boolean),
        });
      },
    ),
    { numRuns: 2_000 },
  );
  expect(decided).toBeGreaterThan(1_000);
});

test.each([
  ['trigger.amount > 100', [{ field: 'trigger.amount', operator: 'greaterThan', value: 100 }]],
  [
    'steps.?ask.output.approved.orValue(false)',
    [{ field: 'steps.ask.output.approved', operator: 'equals', value: true }],
  ],
  ['trigger.name.startsWith("A")', [{ field: 'trigger.name', operator: 'startsWith', value: 'A' }]],
  [
    'trigger.a == 1 && trigger.b != "x"',
    [
      { field: 'trigger.a', operator: 'equals', value: 1 },
      { field: 'trigger.b', operator: 'notEquals', value: 'x' },
    ],
  ],
])('an expression of an author is read as rules: %s', (expression, expected) => {
  expect(readRules(expression)).toEqual({ match: 'all', rules: expected });
});

test.each([
  'size(trigger.items) > 0',
  'trigger.a == 1 && (trigger.b == 2 || trigger.c == 3)',
  '!trigger.a',
  'trigger.a > 1 ? true : false',
  'trigger.a >',
  '3 < trigger.a',
])('other expressions are no rules: %s', (expression) => {
  expect(readRules(expression)).toBeUndefined();
});

test('a rule without a field or a value is left out', () => {
  const unfinished: Rule[] = [
    { field: '', operator: 'equals', value: 1 },
    { field: 'trigger.a', operator: 'equals' },
    { field: 'trigger.b', operator: 'isEmpty' },
  ];
  expect(ruleExpression({ match: 'all', rules: unfinished })).toBe('trigger.?b.orValue(null) in [null, "", [], {}]');
  expect(ruleExpression({ match: 'any', rules: [] })).toBe('');
});
