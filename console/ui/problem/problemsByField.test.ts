import { expect, test } from '@jest/globals';
import { PerdureProblem } from 'perdure-client';
import { problemsByField } from './problemsByField.ts';

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
