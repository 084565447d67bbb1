import type { Json } from '../json.ts';
import { compileValue } from './compiledValue.ts';
import { ExpressionError } from './expressionError.ts';
import type { Scope } from './scope.ts';

export const scope: Scope = {
  trigger: {
    n: 5,
    half: 0.5,
    big: 2 ** 53,
    s: 'x',
    yes: true,
    z: null,
    body: {
      total: 41,
      items: [
        { a: 2, b: 'q' },
        { a: 1, b: 'p' },
        { a: 2, b: 'r' },
      ],
    },
    many: Array.from({ length: 5_000 }, (_, index) => index),
    constructor: 7,
  },
  steps: { 'a-b': { output: { x: 1 } }, b: { output: null, error: { code: 'E', message: 'm' } } },
  variables: { key: 'v' },
  execution: { id: 'e', number: 9, startedAt: '2026-01-31T22:30:00.500Z', workflowId: 'w', workflowName: 'W' },
};

export function value(expression: string): Json {
  return compileValue(`{{ ${expression} }}`).evaluate(scope);
}

export function failure(work: () => unknown): ExpressionError {
  try {
    work();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
  throw new Error('did not fail');
}
