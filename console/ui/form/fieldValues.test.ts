import { expect, test } from '@jest/globals';
import { PerdureProblem } from 'perdure-client';
import { fieldValues, givenDefaults, problemsByField } from './fieldValues.ts';

const field = (key: string, type: 'text' | 'number' | 'json' | 'boolean' | 'multiSelect', required = false) => ({
  ...{ key, type, required, label: key },
});

test('values are of the type of their field; what is empty is left out', () => {
  const fields = [
    field('a', 'number'),
    field('b', 'json'),
    field('c', 'boolean'),
    field('d', 'text'),
    field('e', 'text'),
  ];
  const given = { a: '4.5', b: '{"x": [1]}', c: false, d: '', e: 'text' };
  expect(fieldValues(fields, given)).toEqual({ values: { a: 4.5, b: { x: [1] }, c: false, e: 'text' }, problems: {} });
});

test('a box that was never ticked says no; a choice between yes and no that was not made says nothing', () => {
  expect(fieldValues([field('a', 'boolean'), field('b', 'boolean', true)], {})).toEqual({
    ...{ values: { a: false }, problems: { b: 'This is needed.' } },
  });
});

test('each wrong value has its problem', () => {
  const fields = [
    field('a', 'number', true),
    field('b', 'json'),
    field('c', 'boolean', true),
    field('d', 'multiSelect', true),
  ];
  const { problems } = fieldValues(fields, { a: 'much', b: '{', d: [] });
  expect(problems).toEqual({
    ...{ a: 'This is not a number.', b: 'This is not JSON.', c: 'This is needed.', d: 'This is needed.' },
  });
});

test('a form begins with the defaults of its fields', () => {
  const fields = [
    { ...field('a', 'json'), default: { x: 1 } },
    { ...field('b', 'text'), default: 'so' },
    field('c', 'text'),
  ];
  expect(givenDefaults(fields)).toEqual({ a: '{\n  "x": 1\n}', b: 'so', c: undefined });
});

test('a form begins with the values of an earlier start; secrets of it are not known', () => {
  const fields = [
    { ...field('a', 'json'), default: { x: 1 } },
    { ...field('b', 'text'), default: 'so' },
    { ...field('c', 'text'), type: 'secret' as const },
  ];
  expect(givenDefaults(fields, { a: [2], b: '', c: '********', other: 1 })).toEqual({
    ...{ a: '[\n  2\n]', b: '', c: undefined },
  });
});

test('a problem belongs to the field in which its place is', () => {
  const errors = [
    { path: 'input.order.lines[0]', message: 'one' },
    { path: 'input', message: 'whole' },
    { path: 'amount', message: 'two' },
  ];
  const problem = new PerdureProblem(400, { code: 'VALIDATION_FAILED', errors } as never);
  expect(problemsByField(problem, 'input')).toEqual({ order: 'one', '': 'whole', amount: 'two' });
  expect(problemsByField(new Error('x'), 'input')).toEqual({});
});
