import { expect, test } from '@jest/globals';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { type Sample, scopeOf, withSamples } from './scopeOf.ts';

const definition: Definition = {
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes: [
    { id: 'a', type: 'delay', inputs: {} },
    { id: 'each', type: 'forEach', inputs: {} },
    { id: 'in', type: 'delay', parentId: 'each', inputs: {} },
    { id: 'after', type: 'delay', parentId: 'each', inputs: {} },
  ],
  edges: [],
};
const step = (nodeId: string, output: unknown, index?: number) =>
  ({
    ...{ nodeId, status: 'COMPLETED', output },
    iteration: index === undefined ? [] : [{ nodeId: 'each', index, total: 2 }],
  }) as Sample['steps'][number];
const execution: Sample = {
  ...{ executionId: 'e', trigger: { n: 1 }, variables: { v: 1 } },
  steps: [
    { ...step('a', null), status: 'FAILED', error: { code: 'C', message: 'm', attempt: 1 } as never },
    { ...step('each', null), input: { items: ['x', 'y'] } } as never,
    step('in', 'of x', 0),
    step('in', 'of y', 1),
  ],
  execution: { id: 'e', number: 1, startedAt: '', workflowId: '', workflowName: '' },
};

test('samples replace values of the execution, errors included, and leave the rest', () => {
  expect(withSamples(execution, {})).toBe(execution);
  expect(withSamples(undefined, {})).toBeUndefined();
  const with_ = withSamples(execution, { a: { ok: true }, trigger: { n: 2 } }) as Sample;
  expect(scopeOf(with_, definition)).toMatchObject({
    trigger: { n: 2 },
    steps: { a: { output: { ok: true } } },
    variables: { v: 1 },
  });
  expect(scopeOf(with_, definition).steps.a).toEqual({ output: { ok: true } });
  expect(scopeOf(execution, definition).steps.a).toMatchObject({ error: { code: 'C' } });
});

test('inside a loop a sample is the output in the iteration that is shown', () => {
  const sampled = withSamples(execution, { in: 'mine' }) as Sample;
  expect(scopeOf(execution, definition, 'after')).toMatchObject({ steps: { in: { output: 'of y' } } });
  expect(scopeOf(sampled, definition, 'after')).toMatchObject({
    ...{ steps: { in: { output: 'mine' } }, loop: { item: 'y', index: 1 } },
  });
});

test('of a workflow that has never run there are samples alone', () => {
  const alone = withSamples(undefined, { a: null }) as Sample;
  expect(alone.executionId).toBe('');
  expect(scopeOf(alone, definition)).toMatchObject({ trigger: null, steps: { a: { output: null } }, variables: {} });
});
