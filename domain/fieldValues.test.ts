import { expect, test } from '@jest/globals';
import { expectAbout } from '../test/setup/jest/expectAbout.ts';
import type { Field, FieldType } from './field.ts';
import { checkFields } from './fieldDeclaration.ts';
import { checkFieldValues } from './fieldValues.ts';
import type { Json, JsonObject } from './json.ts';

function field(type: FieldType, more: Partial<Field> = {}): Field {
  const options =
    type === 'select' || type === 'multiSelect'
      ? { options: ['a', 'b'].map((value) => ({ value, label: value })) }
      : {};
  return { key: 'k', label: 'K', type, required: false, ...options, ...more };
}

test.each<[FieldType, Json[], Json[]]>([
  ['text', ['x', ''], [1, true, [], {}]],
  ['longText', ['x'], [1]],
  ['secret', ['x'], [1]],
  ['number', [0, -1.5], ['1', true, '']],
  ['boolean', [true, false], ['true', 0]],
  ['date', ['2026-01-31', '2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123+02:00'], ['2026-02-30', '31.1.2026', 5]],
  ['select', ['a'], ['c', 1, ['a']]],
  ['multiSelect', [[], ['a', 'b']], ['a', ['a', 'a'], ['c'], [1]]],
  ['json', [1, 'x', {}, []], []],
])('%s', (type, good, bad) => {
  for (const value of good) expect(checkFieldValues([field(type)], { k: value }, 'reject').problems).toEqual([]);
  for (const value of bad) {
    const { problems } = checkFieldValues([field(type)], { k: value }, 'reject');
    expectAbout(problems, JSON.stringify(value)).toEqual([{ path: 'k', message: expect.stringMatching(/^expected /) }]);
  }
});

test('numbers are finite', () => {
  expect(checkFieldValues([field('number')], { k: Number.NaN }, 'reject').problems).toHaveLength(1);
});

test.each<[FieldType, Json | undefined, boolean]>([
  ['text', undefined, true],
  ['text', null, true],
  ['text', '', true],
  ['json', '', false],
  ['number', 0, false],
  ['boolean', false, false],
])('required %s with %j: missing is %s', (type, value, missing) => {
  const values: JsonObject = value === undefined ? {} : { k: value };
  const checked = checkFieldValues([field(type, { required: true })], values, 'reject');
  expect(checked.missing).toEqual(missing ? ['k'] : []);
  expect(checked.problems).toHaveLength(missing ? 1 : 0);
});

test('defaults replace absent values, not null', () => {
  const fields = [field('number', { default: 3 })];
  expect(checkFieldValues(fields, {}, 'reject').values).toEqual({ k: 3 });
  expect(checkFieldValues(fields, { k: null }, 'reject').values).toEqual({ k: null });
});

test('unknown keys are kept or rejected; keys of the prototype are unknown', () => {
  const values = JSON.parse('{"other": 1, "__proto__": 2}');
  expect(checkFieldValues([field('text')], values, 'keep')).toMatchObject({ problems: [], missing: [] });
  expect(JSON.stringify(checkFieldValues([field('text')], values, 'keep').values)).toBe('{"other":1,"__proto__":2}');
  expect(checkFieldValues([field('text')], values, 'reject').problems.map(({ path }) => path)).toEqual([
    'other',
    '__proto__',
  ]);
  expect(checkFieldValues([field('text', { key: 'constructor', required: true })], {}, 'reject').missing).toEqual([
    'constructor',
  ]);
});

test('a declaration is checked', () => {
  const paths = (fields: unknown) => checkFields(fields, 'f').map(({ path }) => path);
  expect(paths([field('text'), field('select', { key: 'l', default: 'a' })])).toEqual([]);
  expect(paths('x')).toEqual(['f']);
  expect(paths([field('text'), field('text')])).toEqual(['f[1].key']);
  expect(paths([{ key: '1x', label: 2, type: 'color', required: 'yes', more: 1 }])).toEqual([
    'f[0].key',
    'f[0].label',
    'f[0].required',
    'f[0].type',
    'f[0].more',
  ]);
  expect(paths([{ key: 'a', label: 'A', type: 'select', required: true }])).toEqual(['f[0].options']);
  expect(paths([field('multiSelect', { default: ['c'] })])).toEqual(['f[0].default']);
  expect(paths([field('number', { default: 'x' })])).toEqual(['f[0].default']);
  expect(paths([field('number', { default: '{{ trigger.n }}' })])).toEqual(['f[0].default']);
  expect(checkFields([field('number', { default: '{{ trigger.n }}' })], 'f', 'expressions')).toEqual([]);
});
