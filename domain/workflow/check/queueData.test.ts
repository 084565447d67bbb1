import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../json.ts';
import { compileRules } from '../../object/compiledRules.ts';
import { dataRules } from '../../queue/dataRules.ts';
import { catalogue, context } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';

const ID = '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f';
const schema: JsonObject = {
  type: 'object',
  properties: { order: { type: 'string' }, amount: { type: 'number', minimum: 0 } },
  required: ['order'],
  additionalProperties: false,
};
const rules = compileRules(dataRules(schema));

const app = catalogue.get('app');
const [get] = app?.actions ?? [];
if (!app || !get) throw new Error('The fixture has no action');
const fields = ['queueId', 'data'].map((key) => ({ key, label: key, type: 'json' as const, required: true }));
const add = { ...get, actionId: 'add', inputConfig: { fields } };
const withQueue = new Map([['queue', { ...app, appId: 'queue', actions: [add] }]]);

function found(data: Json, queueId = ID): string[] {
  const nodes = [{ id: 'n', type: 'action', appId: 'queue', actionId: 'add', inputs: { queueId, data } }];
  const queues = { rulesOf: (id: string) => (id === ID ? rules : undefined) };
  const { problems } = validateDefinition({ nodes, edges: [] }, { ...context, catalogue: withQueue, queues });
  return problems.map(({ code, severity, path }) => `${severity} ${code} ${path.replace('nodes[0].inputs.', '')}`);
}

test.each<[string, Json]>([
  ['data that fits', { order: 'a', amount: 1 }],
  ['an expression for the data', '{{ trigger }}'],
  ['expressions inside of the data', { order: '{{ trigger.order }}', amount: '{{ trigger.amount }}' }],
  ['a text with an expression', { order: 'A-{{ trigger.order }}' }],
])('%s is not reported', (_, data) => {
  expect(found(data)).toEqual([]);
});

test('another queue, and one that an expression names, are not compared', () => {
  expect(found({}, '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e60')).toEqual([]);
  expect(found({}, '{{ trigger.queue }}')).toEqual([]);
});

test('data that is missing, unknown or wrong', () => {
  expect(found({ amount: -1 })).toEqual(['error QUEUE_DATA data.order', 'error QUEUE_DATA data.amount']);
  expect(found({ order: '{{ trigger.order }}', amont: 1 })).toEqual(['error QUEUE_DATA data.amont']);
  expect(found({ order: 'a', amount: 'about {{ trigger.n }}' })).toEqual(['error QUEUE_DATA data.amount']);
  expect(found('about {{ trigger.n }}')).toEqual(['error QUEUE_DATA data']);
  expect(found({ order: 1 }, ID.toUpperCase())).toEqual(['error QUEUE_DATA data.order']);
});
