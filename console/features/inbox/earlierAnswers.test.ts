import { expect, test } from '@jest/globals';
import type { components } from 'perdure-client';
import { earlierAnswers } from './earlierAnswers.ts';

const at = '2026-11-25T12:00:00.000Z';
const fields: components['schemas']['Field'][] = [
  { key: 'approved', label: 'Approved', type: 'boolean', required: true },
  { key: 'account', label: 'Account', type: 'select', required: true, options: [{ value: 't', label: 'Travel' }] },
  { key: 'pin', label: 'PIN', type: 'secret', required: false },
];
const ask = (id: string) => ({ id, type: 'input' as const, inputs: { fields } });
const step = (nodeId: string, output: unknown, iteration: { nodeId: string; index: number }[] = []) => ({
  ...{ id: `of ${nodeId}`, nodeId, label: nodeId.toUpperCase(), appId: null, actionId: null, attempt: 1, attempts: [] },
  ...{ status: 'COMPLETED' as const, startedAt: at, stoppedAt: at, durationMs: 1, input: null, output, iteration },
});

test('an earlier answer uses the labels of its form and omits secrets', () => {
  const submittedBy = { type: 'user', id: 'u', name: 'Ann' };
  const output = { pin: '***', account: 't', approved: true, submittedAt: at, submittedBy };
  expect(earlierAnswers([ask('a')], [step('a', output)], [])).toEqual([
    {
      ...{ stepId: 'of a', label: 'A', by: 'Ann', at },
      values: [
        { label: 'Approved', value: 'Yes' },
        { label: 'Account', value: 'Travel' },
      ],
    },
  ]);
});

test('only answers to questions count, and in a loop those of the same iteration', () => {
  const nodes = [ask('a'), ask('b'), { id: 'c', type: 'delay' as const, inputs: {} }];
  const steps = [
    step('a', { approved: true }),
    step('b', { approved: true }, [{ nodeId: 'each', index: 0 }]),
    step('b', { approved: false }, [{ nodeId: 'each', index: 1 }]),
    step('c', { approved: true }),
    { ...step('a', null), status: 'NEEDS_INPUT' as const },
  ];
  const labels = earlierAnswers(nodes as never, steps, [{ nodeId: 'each', index: 1 }]).map(({ label, values }) => [
    label,
    values[0]?.value,
  ]);
  expect(labels).toEqual([
    ['A', 'Yes'],
    ['B', 'No'],
  ]);
});
