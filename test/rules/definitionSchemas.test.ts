import { expect, test } from '@jest/globals';
import { isError } from '../../domain/problem.ts';
import { context, edge, node } from '../../domain/workflow/graphs.fixture.ts';
import { validateDefinition } from '../../domain/workflow/validate.ts';
import { checkSchema } from '../setup/api/contract.ts';

/** Valid nodes of every type with every input. */
const NODES = [
  node('a', { retry: { maximumAttempts: 3, backoffCoefficient: 1.5 }, timeoutMs: 5_000, onError: 'continue' }),
  node('a', { retry: { maximumAttempts: 2, initialIntervalMs: 0, maximumIntervalMs: 0 } }),
  { id: 'a', type: 'condition', inputs: { condition: '{{ trigger.yes }}' }, position: { x: 1, y: -2.5 } },
  { id: 'a', type: 'condition', inputs: { condition: true }, name: 'Yes' },
  { id: 'a', type: 'switch', inputs: { value: '{{ trigger.kind }}', cases: [{ name: 'one', equals: 1 }] } },
  { id: 'a', type: 'switch', inputs: { cases: [{ name: 'one', when: '{{ trigger.yes }}' }] } },
  { id: 'a', type: 'forEach', inputs: { items: [1, 2], concurrency: 5, onItemError: 'continue' } },
  { id: 'a', type: 'forEach', inputs: { items: '{{ trigger.list }}', concurrency: '{{ trigger.many }}' } },
  { id: 'a', type: 'forEach', inputs: { items: { b: 1 } } },
  { id: 'a', type: 'forEach', inputs: { items: [1], keepOutputs: false } },
  { id: 'a', type: 'repeat', inputs: { times: 3, pauseMs: 0, keepOutputs: true } },
  { id: 'a', type: 'repeat', inputs: { while: '{{ trigger.yes }}', maximumIterations: 10 } },
  {
    id: 'a',
    type: 'input',
    inputs: {
      title: 'Hello {{ trigger.name }}',
      instructions: 'Look',
      fields: [{ key: 'ok', label: 'OK', type: 'boolean', required: true }],
      expiresInMs: 60_000,
      approvals: { required: 2 },
    },
  },
  { id: 'a', type: 'input', inputs: { fields: [], approvals: 2 } },
  { id: 'a', type: 'input', inputs: { fields: [], submitters: 'link', excludeStarter: '{{ trigger.strict }}' } },
  { id: 'a', type: 'input', inputs: { fields: [], submitters: ['ada@x.example', 'builder'], excludeStarter: true } },
  { id: 'a', type: 'input', inputs: { fields: [], submitters: '{{ trigger.who }}' } },
  { id: 'a', type: 'input', inputs: { fields: [], submitters: ['{{ trigger.boss }}'] } },
  { id: 'a', type: 'input', inputs: { fields: [], approvals: '{{ trigger.approvals }}' } },
  { id: 'a', type: 'delay', inputs: { forMs: '{{ trigger.ms }}' } },
  { id: 'a', type: 'delay', inputs: { until: '2026-11-21T10:15:30Z' } },
  { id: 'a', type: 'runWorkflow', inputs: { slug: 'other', input: { b: '{{ trigger }}' }, wait: false } },
  { id: 'a', type: 'respond', inputs: { status: 201, headers: { 'X-A': 'b' }, body: 'aGk=', encoding: 'base64' } },
  { id: 'a', type: 'stop', inputs: { outcome: 'failed', message: 'No' } },
  // Null counts as absent if it is no value.
  { id: 'a', type: 'switch', inputs: { value: null, cases: [{ name: 'none', equals: null }] } },
  { id: 'a', type: 'forEach', inputs: { items: [null], concurrency: null, onItemError: null } },
  {
    id: 'a',
    type: 'repeat',
    inputs: { times: null, while: true, until: null, maximumIterations: null, pauseMs: null },
  },
  {
    id: 'a',
    type: 'input',
    inputs: {
      fields: [{ key: 'ok', label: 'OK', type: 'boolean', required: true }],
      title: null,
      instructions: null,
      expiresInMs: null,
      approvals: null,
    },
  },
  { id: 'a', type: 'delay', inputs: { forMs: 1, until: null } },
  { id: 'a', type: 'runWorkflow', inputs: { workflowId: null, slug: 'other', input: null, wait: null } },
  { id: 'a', type: 'respond', inputs: { status: null, headers: null, body: null, encoding: null } },
  { id: 'a', type: 'stop', inputs: { outcome: 'completed', message: null, output: null } },
];

const TRIGGERS = [
  { type: 'manual', config: { fields: [{ key: 'n', label: 'N', type: 'number', required: false, default: 1 }] } },
  { type: 'webhook', config: { respond: 'whenFinished', secret: 's', hmac: { secret: 't', format: 'body' } } },
  { type: 'webhook', config: { duplicates: { key: '{{ trigger.body.id }}', forMs: 1_000 } } },
  { type: 'schedule', config: { cron: '0 9 * * MON-FRI', timezone: 'Europe/Berlin', overlap: 'bufferOne' } },
  { type: 'schedule', config: { everyMs: 60_000, jitterMs: 0, catchupWindowMs: 10_000 } },
  { type: 'queue', config: { queueId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', batchSize: 500 } },
  { type: 'queue', config: { queueId: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f' } },
];

function accepted(candidate: object) {
  const { definition, problems } = validateDefinition(candidate, context);
  expect(problems.filter(isError)).toEqual([]);
  if (definition === undefined) throw new Error('no definition');
  return definition;
}

test.each(NODES)('an accepted node matches its schema: %j', (candidate) => {
  const { nodes } = accepted({ nodes: [candidate], edges: [] });
  for (const one of nodes) checkSchema('Node', one);
});

test('keeps a null input only if null is a valid value', () => {
  const inputsOf = (type: string, inputs: object) =>
    accepted({ nodes: [{ id: 'a', type, inputs }], edges: [] }).nodes[0]?.inputs;
  expect(inputsOf('respond', { status: null, body: null })).toEqual({ body: null });
  expect(inputsOf('stop', { outcome: 'failed', message: null, output: null })).toEqual({
    outcome: 'failed',
    output: null,
  });
  expect(inputsOf('repeat', { times: 2, while: null })).toEqual({ times: 2 });
});

test.each(TRIGGERS)('an accepted trigger matches its schema: %j', (candidate) => {
  const { trigger } = accepted({ trigger: { id: 'trigger', ...candidate }, nodes: [node('a')], edges: [] });
  checkSchema('TriggerNode', trigger);
});

test('edges match their schema, without an id in a request and with one afterwards', () => {
  const asked = edge('a', 'b');
  checkSchema('EdgeInput', asked);
  const { edges } = accepted({ nodes: [node('a'), node('b')], edges: [asked] });
  expect(edges).toHaveLength(1);
  for (const one of edges) checkSchema('Edge', one);
});

test.each([
  ['Node', node('a', { retry: { maximumAttempts: 2, initialIntervalMs: -1 } })],
  ['Node', node('a', { retry: { maximumAttempts: 2, backoffCoefficient: 101 } })],
  ['Node', node('a', { retry: { maximumAttempts: 2, maximumIntervalMs: 31_536_000_001 } })],
  ['Node', { id: 'a', type: 'condition', inputs: {} }],
  ['Node', { id: 'a', type: 'input', inputs: { fields: [], submitters: 'everybody' } }],
  ['Node', { id: 'a', type: 'input', inputs: { fields: [], submitters: [] } }],
  ['Node', { id: 'a', type: 'forEach', inputs: { items: [1], keepOutputs: '{{ trigger.keep }}' } }],
  ['Node', { id: 'a', type: 'repeat', inputs: { times: 1, keepOutputs: 'no' } }],
  ['Node', { id: 'a', type: 'delay', inputs: { forMs: 'soon' } }],
  ['Node', { id: 'a', type: 'stop', inputs: { outcome: 'completed' }, appId: 'app' }],
  ['Node', { id: 'a b', type: 'repeat', inputs: { times: 1 } }],
  ['Node', { id: 'a', type: 'loop', inputs: {} }],
  ['TriggerNode', { id: 'trigger', type: 'queue', config: {} }],
  ['TriggerNode', { id: 'trigger', type: 'schedule', config: { everyMs: 1_500 } }],
  ['TriggerNode', { id: 'trigger', type: 'webhook', config: { hmac: {} } }],
])('the schema rejects a %s that the rules reject: %j', (schema, value) => {
  const candidate =
    schema === 'Node' ? { nodes: [value], edges: [] } : { trigger: value, nodes: [node('a')], edges: [] };
  expect(validateDefinition(candidate, context).problems).not.toEqual([]);
  expect(() => checkSchema(schema, value)).toThrow('not as openapi.yaml says');
});
