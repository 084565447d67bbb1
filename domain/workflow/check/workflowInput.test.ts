import { expect, test } from '@jest/globals';
import type { Field } from '../../field.ts';
import { context } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';

const FIELDS: Field[] = [
  { key: 'amount', label: 'Amount', type: 'number', required: true },
  { key: 'note', label: 'Note', type: 'text', required: false },
  { key: 'unit', label: 'Unit', type: 'text', required: true, default: 'EUR' },
];

function found(inputs: object): string[] {
  const nodes = [{ id: 'run', type: 'runWorkflow', inputs }];
  const fieldsOf = ({ name }: { name: string }) => (name === 'pay' ? FIELDS : name === 'free' ? [] : undefined);
  const { problems } = validateDefinition({ nodes, edges: [] }, { ...context, fieldsOf });
  return problems.map(({ code, severity, path }) => `${severity} ${code} ${path.replace('nodes[0].inputs.', '')}`);
}

test.each<[string, object]>([
  ['all that is required', { slug: 'pay', input: { amount: 1, note: 'x' } }],
  ['an expression', { slug: 'pay', input: { amount: '{{ trigger.n }}' } }],
  ['an input that is one expression', { slug: 'pay', input: '{{ trigger }}' }],
  ['a text with an expression', { slug: 'pay', input: { amount: 1, note: 'for {{ trigger.n }}' } }],
  ['a workflow without fields', { slug: 'free', input: { any: 1 } }],
  ['a workflow that is not known', { slug: 'other', input: {} }],
  ['a workflow that an expression names', { slug: '{{ trigger.slug }}', input: {} }],
])('%s is not reported', (_, inputs) => {
  expect(found(inputs)).toEqual([]);
});

test('a field that is missing, wrong or unknown', () => {
  expect(found({ slug: 'pay' })).toEqual(['error WORKFLOW_INPUT input.amount']);
  expect(found({ slug: 'pay', input: { amnt: 3 } })).toEqual([
    'error WORKFLOW_INPUT input.amount',
    'warning WORKFLOW_INPUT input.amnt',
  ]);
  expect(found({ slug: 'pay', input: { amount: 'three', unit: null } })).toEqual([
    'error WORKFLOW_INPUT input.amount',
    'error WORKFLOW_INPUT input.unit',
  ]);
  expect(found({ slug: 'pay', input: { amount: 'about {{ trigger.n }}' } })).toEqual([
    'error WORKFLOW_INPUT input.amount',
  ]);
});
