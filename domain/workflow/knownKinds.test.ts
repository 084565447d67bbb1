import { expect, test } from '@jest/globals';
import type { ActionManifest, Catalogue } from '../app/manifest.ts';
import { A_COUNT, A_TEXT, AN_OBJECT, ANYTHING, fixed, listOf, type OutputSchema } from '../app/outputSchema.ts';
import type { Json } from '../json.ts';
import type { ProblemDetail } from '../problem.ts';
import { validateDefinition } from './validate.ts';

const FIELDS = ['text', 'number', 'boolean', 'date', 'multiSelect', 'json'].map((type) => ({
  key: type,
  label: type,
  type,
  required: false,
  ...(type === 'multiSelect' ? { options: [{ value: 'a', label: 'A' }] } : {}),
}));
const MANUAL = { id: 'trigger', type: 'manual', config: { fields: FIELDS } };

const action = (actionId: string, outputSchema?: OutputSchema): ActionManifest => ({
  ...{
    actionId,
    name: actionId,
    description: '',
    effect: 'read',
    repeatable: true,
    requiresConnection: false,
    permissions: [],
    placement: 'remote',
  },
  inputConfig: {
    fields: [
      { key: 'queueId', label: 'Queue', type: 'text', required: false },
      { key: 'data', label: 'Data', type: 'json', required: false },
    ],
  },
  ...(outputSchema ? { outputSchema } : {}),
});
const ADDED = fixed({ itemId: A_TEXT, lines: listOf(fixed({ count: A_COUNT })), rest: ANYTHING, open: AN_OBJECT });
const CATALOGUE: Catalogue = new Map([
  [
    'queue',
    {
      ...{
        appId: 'queue',
        name: 'Queue',
        description: '',
        icon: '',
        categories: [],
        connectionTypes: [],
        triggers: [],
      },
      actions: [action('add', ADDED), action('free')],
    },
  ],
]);

/** Returns the problems of a workflow whose last node has this expression, after a question, a loop and a switch. */
function problemsOf(expression: string, trigger: object = MANUAL): ProblemDetail[] {
  const definition = {
    trigger,
    nodes: [
      { id: 'ask', type: 'input', inputs: { fields: FIELDS } },
      { id: 'each', type: 'forEach', inputs: { items: [1], onItemError: 'continue' } },
      { id: 'counted', type: 'repeat', inputs: { times: 2, keepOutputs: false } },
      { id: 'in', type: 'condition', parentId: 'each', inputs: { condition: '{{ loop.index == 0 }}' } },
      { id: 'add', type: 'action', appId: 'queue', actionId: 'add', inputs: { queueId: 'q', data: {} } },
      { id: 'free', type: 'action', appId: 'queue', actionId: 'free', inputs: {} },
      { id: 'last', type: 'stop', inputs: { outcome: 'completed', output: { a: [`{{ ${expression} }}`] } } },
    ],
    edges: [
      { id: 'a', source: 'ask', target: 'each' },
      { id: 'b', source: 'each', target: 'counted' },
      { id: 'e', source: 'counted', target: 'add' },
      { id: 'c', source: 'add', target: 'free' },
      { id: 'd', source: 'free', target: 'last' },
    ],
  };
  const limits = { maxBytes: 100_000, maxNodes: 10, maxExpressions: 10_000 };
  return validateDefinition(definition as unknown as Json, { catalogue: CATALOGUE, limits }).problems;
}

const webhook = { id: 'trigger', type: 'webhook', config: {} };

test.each<[string, string, object]>([
  [
    'trigger.multiSelect.length',
    'trigger.multiSelect is a list, and has no length: write size(trigger.multiSelect)',
    MANUAL,
  ],
  ['trigger["text"].length > 3', 'trigger["text"] is text, and has no length: write size(trigger["text"])', MANUAL],
  ['[1].map(x, trigger.date.length)', 'trigger.date is text, and has no length: write size(trigger.date)', MANUAL],
  ['trigger.number.foo', 'trigger.number is a number, and has no foo', MANUAL],
  ['trigger.boolean.a.b', 'trigger.boolean is true or false, and has no a', MANUAL],
  ['trigger.method.length', 'trigger.method is text, and has no length', webhook],
  ['steps.each.output.length', 'steps.each.output is a list, and has no length: write size(steps.each.output)', MANUAL],
  ['steps.ask.output.multiSelect.length', 'steps.ask.output.multiSelect is a list', MANUAL],
  ['steps.each.error.message.length', 'steps.each.error.message is text', MANUAL],
  ['execution.id.length', 'execution.id is text, and has no length: write size(execution.id)', MANUAL],
  ['steps.add.output.id', 'steps.add.output is an object of itemId, lines, rest, open, and has no id', MANUAL],
  ['steps.add.output.itemId.length', 'steps.add.output.itemId is text, and has no length: write size(', MANUAL],
  ['steps.add.output.lines[0].sum', 'steps.add.output.lines[0] is an object of count, and has no sum', MANUAL],
  ['steps.add.output.lines.sum', 'steps.add.output.lines is a list, and has no sum', MANUAL],
  ['execution.number.length', 'execution.number is a number, and has no length', MANUAL],
  [
    'steps.counted.output.outputs',
    'steps.counted.output is an object of total, completed, failed (keepOutputs: false), and has no outputs',
    MANUAL,
  ],
  ['steps.counted.output[0]', 'steps.counted.output is an object of total, completed, failed', MANUAL],
  ['1 + steps.counted.output[1].n', 'steps.counted.output is an object of total, completed, failed', MANUAL],
  ['steps["counted"].output.map(x, x)', '(keepOutputs: false), and has no map', MANUAL],
  ['[1].map(x, steps.counted.output.first())', '(keepOutputs: false), and has no first', MANUAL],
  ['steps.counted.output.length', '(keepOutputs: false), and has no length', MANUAL],
  ['steps.counted.output.failed.rate', 'steps.counted.output.failed is a number, and has no rate', MANUAL],
])('%s: %s', (expression, message, trigger) => {
  expect(problemsOf(expression, trigger)).toEqual([
    { path: 'nodes[6].inputs.output.a[0]', nodeId: 'last', message: expect.stringContaining(message) },
  ]);
});

test.each([
  'trigger.json.length',
  'trigger.length',
  'trigger.other.length',
  'trigger.multiSelect[0]',
  'steps.ask.output.json.length',
  'steps.each.output[0].result',
  'steps.add.output.rest.any',
  'steps.add.output.open.any',
  'steps.free.output.any',
  'has(steps.add.output.id)',
  'has(trigger.text.length)',
  'trigger.text.?length.orValue(1)',
  'steps.each.output.map(x, x.length)',
  'steps.counted.output.total + steps.counted.output["failed"]',
  'steps.counted.output',
  'steps.counted.output.keys()',
  'has(steps.counted.output.outputs)',
])('%s may be there', (expression) => {
  // Another rule checks which members the trigger has.
  const problems = problemsOf(expression).filter(({ code }) => code !== 'UNKNOWN_TRIGGER_FIELD');
  expect(problems).toEqual([]);
});
