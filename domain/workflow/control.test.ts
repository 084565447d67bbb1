import { describe, expect, test } from '@jest/globals';
import { ExpressionError } from '../expression/expressionError.ts';
import { MAX_WORK } from '../expression/meter.ts';
import type { Scope } from '../expression/scope.ts';
import { type CompiledNode, compileDefinition } from './compile.ts';
import { decideCondition, decideSwitch } from './control.ts';
import { catalogue, condition, definitionOf } from './graphs.fixture.ts';

describe('decisions', () => {
  const scope = (trigger: Scope['trigger']): Scope => ({
    trigger,
    steps: {},
    variables: {},
    execution: { id: 'e', number: 1, startedAt: '2026-01-01T00:00:00.000Z', workflowId: 'w', workflowName: 'W' },
  });
  const compiled = (one: unknown): CompiledNode =>
    compileDefinition(definitionOf({ nodes: [one], edges: [] }), catalogue)
      .nodes.values()
      .next().value as CompiledNode;
  const failureOf = (work: () => unknown): ExpressionError => {
    try {
      work();
    } catch (error) {
      if (error instanceof ExpressionError) return error;
    }
    throw new Error('no ExpressionError');
  };

  test('condition', () => {
    const one = compiled(condition('c'));
    expect(decideCondition(one, scope({ yes: true }))).toBe(true);
    expect(decideCondition(compiled(condition('c', { inputs: { condition: false } })), scope({}))).toBe(false);
    expect(failureOf(() => decideCondition(one, scope({ yes: 'true' })))).toMatchObject({
      path: 'condition',
      reason: 'got text',
      expected: 'true or false',
      text: 'trigger.yes',
    });
  });

  test('a switch by value or by when takes the first match; later cases are not evaluated', () => {
    const byValue = compiled({
      id: 's',
      type: 'switch',
      inputs: {
        value: '{{ trigger.v }}',
        cases: [
          { name: 'one', equals: 1 },
          { name: 'list', equals: ['{{ trigger.w }}'] },
        ],
      },
    });
    expect(decideSwitch(byValue, scope({ v: 1 }))).toBe('one');
    expect(decideSwitch(byValue, scope({ v: ['x'], w: 'x' }))).toBe('list');
    expect(decideSwitch(byValue, scope({ v: '1', w: 2 }))).toBe('default');
    expect(failureOf(() => decideSwitch(byValue, scope({ v: 2 }))).path).toBe('cases[1].equals[0]');
    const byWhen = compiled({
      id: 's',
      type: 'switch',
      inputs: {
        cases: [
          { name: 'big', when: '{{ trigger.n > 10 }}' },
          { name: 'odd', when: '{{ trigger.gone }}' },
        ],
      },
    });
    expect(decideSwitch(byWhen, scope({ n: 11 }))).toBe('big');
    expect(failureOf(() => decideSwitch(byWhen, scope({ n: 1 }))).path).toBe('cases[1].when');
  });

  test('a switch whose comparison is too expensive fails like an expression', () => {
    const compared = compiled({
      id: 's',
      type: 'switch',
      inputs: { value: '{{ trigger.v }}', cases: [{ name: 'same', equals: '{{ trigger.w }}' }] },
    });
    const lists = (count: number) => Array.from({ length: count }, () => []);
    expect(decideSwitch(compared, scope({ v: lists(1_000), w: lists(1_000) }))).toBe('same');
    // One list repeated, so that the test itself stays cheap.
    const many = (list: Scope['trigger']) => Array.from({ length: 1_000 }, () => list);
    const [v, w] = [many(lists(MAX_WORK / 1_000)), many(lists(MAX_WORK / 1_000))];
    expect(failureOf(() => decideSwitch(compared, scope({ v, w })))).toMatchObject({
      code: 'EXPRESSION_LIMIT',
      path: 'cases[0].equals',
      reason: 'the expression takes more than 5,000,000 steps',
    });
    expect(decideSwitch(compared, scope({ v: 1, w: 1 }))).toBe('same');
  });
});
