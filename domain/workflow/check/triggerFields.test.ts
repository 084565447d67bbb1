import { expect, test } from '@jest/globals';
import { context, node } from '../graphs.fixture.ts';
import { validateDefinition } from '../validate.ts';

const body = (text: string) => node('n', { inputs: { url: 'u', body: text } });
const manual = { type: 'manual', config: { fields: [{ key: 'amount', type: 'number' }] } };
const webhook = { type: 'webhook', config: {} };
const schedule = { type: 'schedule', config: { everyMs: 60_000 } };

function found(trigger: object | undefined, text: string, isErrorWorkflow = false): string[] {
  const candidate = { nodes: [body(text)], edges: [], ...(trigger ? { trigger } : {}) };
  const { problems } = validateDefinition(candidate, { ...context, isErrorWorkflow });
  return problems.map(({ code, path, message }) => `${code} ${path}: ${message}`);
}

test.each<[string, object | undefined, string]>([
  ['a manual trigger without fields', undefined, '{{ trigger.anything }}'],
  ['a field', manual, '{{ trigger.amount }}'],
  ['a key that is looked for', manual, '{{ has(trigger.note) ? trigger.note : null }}'],
  ['an optional key', manual, '{{ trigger.?note.orValue(null) }}'],
  ['a key in the trigger', manual, '{{ "note" in trigger ? trigger.note : null }}'],
  ['a key of the trigger as text', manual, '{{ trigger["amount"] }}'],
  ['a key that is computed', manual, '{{ trigger[trigger.amount] }}'],
  ['the whole trigger', manual, '{{ trigger }}'],
  ['a method of the trigger', manual, '{{ trigger.keys() }}'],
  ['a body', webhook, '{{ trigger.body.anything }}'],
  ['a time', schedule, '{{ trigger.scheduledAt }}'],
])('%s is not reported', (_, trigger, text) => {
  expect(found(trigger, text)).toEqual([]);
});

test.each<[object, string, string]>([
  [manual, '{{ trigger.amuont }}', 'trigger.amuont does not exist: the trigger of type manual has trigger.amount'],
  [
    webhook,
    '{{ trigger.name }}',
    'trigger.name does not exist: the trigger of type webhook has trigger.method, trigger',
  ],
  [
    schedule,
    '{{ trigger["time"] }}',
    'trigger.time does not exist: the trigger of type schedule has trigger.scheduledAt',
  ],
])('a member that no start can give: %j %s', (trigger, text, message) => {
  expect(found(trigger, text)).toEqual([
    expect.stringContaining(`UNKNOWN_TRIGGER_FIELD nodes[0].inputs.body: ${message}`),
  ]);
});

test('an error workflow reads the report of the failure', () => {
  expect(found(undefined, '{{ trigger.execution.error.message }}', true)).toEqual([]);
  expect(found(undefined, '{{ trigger.error.message }}', true)).toEqual([
    expect.stringContaining('trigger.error does not'),
  ]);
  expect(found(undefined, '{{ trigger.execution.reason }}', true)).toEqual([
    expect.stringContaining('trigger.execution.reason does not'),
  ]);
});
