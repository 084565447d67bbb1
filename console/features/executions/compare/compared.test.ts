import { expect, test } from '@jest/globals';
import type { ExecutionStep } from '../queries/executions.ts';
import { comparedSteps, valueDifferences } from './compared.ts';

const step = (nodeId: string, more: object = {}) =>
  ({
    id: nodeId,
    nodeId,
    iteration: [],
    status: 'COMPLETED',
    input: 1,
    output: 1,
    ...more,
  }) as unknown as ExecutionStep;

test('steps are paired by node and iteration; unpaired ones keep their place', () => {
  const item = (index: number) => ({ iteration: [{ nodeId: 'each', index }] });
  const one = [step('a'), step('in', item(0)), step('z')];
  const other = [step('a'), step('in', item(0)), step('in', item(1)), step('y'), step('z')];
  expect(comparedSteps(one, other).map(({ place, differences }) => [place, differences])).toEqual([
    ['a', []],
    ['each[0] › in', []],
    ['each[1] › in', ['onlyOther']],
    ['y', ['onlyOther']],
    ['z', []],
  ]);
  expect(comparedSteps(other, one).map(({ differences }) => differences.length)).toEqual([0, 0, 1, 1, 0]);
});

test.each([
  ['status', { status: 'FAILED' }],
  ['status', { handle: 'true' }],
  ['input', { input: { a: 1 } }],
  ['output', { output: [1, 2] }],
  ['output', { output: undefined, outputBytes: 70_000 }],
  ['error', { error: { code: 'HTTP_502', message: 'Bad gateway' } }],
])('a step differs in its %s: %j', (kind, change) => {
  const [compared] = comparedSteps([step('a')], [step('a', change)]);
  expect(compared?.differences).toEqual([kind]);
});

test('the order of members makes no difference', () => {
  const compared = comparedSteps([step('a', { input: { x: 1, y: 2 } })], [step('a', { input: { y: 2, x: 1 } })]);
  expect(compared[0]?.differences).toEqual([]);
});

test('values differ at places, up to the requested number', () => {
  const one = { a: { b: [1, 2, 3] }, c: 'x', d: 1 };
  const other = { a: { b: [1, 9] }, c: 'x', e: null };
  expect(valueDifferences(one, other, 10)).toEqual([
    { path: 'a.b[1]', one: 2, other: 9 },
    { path: 'a.b[2]', one: 3, other: undefined },
    { path: 'd', one: 1, other: undefined },
  ]);
  expect(valueDifferences(one, other, 1)).toHaveLength(1);
  expect(valueDifferences([1], { a: 1 }, 5)).toEqual([{ path: '', one: [1], other: { a: 1 } }]);
});
