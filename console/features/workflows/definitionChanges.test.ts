import { expect, test } from '@jest/globals';
import { definitionChanges } from './definitionChanges.ts';

const node = (id: string, inputs: object, more: object = {}) => ({ id, type: 'action', inputs, ...more });
const edge = (source: string, target: string, sourceHandle?: string) => ({
  ...{ id: `${Math.random()}`, source, target },
  ...(sourceHandle === undefined ? {} : { sourceHandle }),
});
const trigger = (config: object) => ({ id: 'trigger', type: 'webhook', config });
const base = { triggerNode: trigger({}), nodes: [node('a', { url: '1' })], edges: [], output: null, labels: {} };
const lines = (...given: Parameters<typeof definitionChanges>) => definitionChanges(...given).map(({ text }) => text);

test('equal definitions have no changes, even if the IDs of their edges differ', () => {
  const of = () => ({ ...base, nodes: [node('a', {}), node('b', {})], edges: [edge('a', 'b')] });
  expect(definitionChanges(of(), of())).toEqual([]);
});

test('a line for each node, input, member, edge, and for trigger, output and labels', () => {
  const before = {
    triggerNode: trigger({ respond: 'immediately' }),
    nodes: [node('a', { url: '1', headers: { x: '1' } }, { name: 'Ask' }), node('gone', {})],
    edges: [edge('a', 'gone')],
    output: '{{ steps.a.output }}',
    labels: { order: 'x' },
  };
  const after = {
    triggerNode: trigger({ respond: 'whenFinished' }),
    nodes: [node('a', { url: '2', headers: {} }, { name: 'Ask', timeoutMs: 5 }), node('pay', {}, { name: 'Pay' })],
    edges: [edge('a', 'pay', 'true')],
    output: null,
    labels: {},
  };
  expect(lines(before, after)).toEqual([
    'Trigger: respond',
    '“Ask”: its timeout',
    '“Ask”: input url',
    '“Ask”: input headers.x',
    'Removed “gone”',
    'Added “Pay”',
    'New edge Ask (true) → Pay',
    'Edge Ask → gone is gone',
    'Output',
    'Label order',
  ]);
  expect(definitionChanges(before, after)[2]).toEqual({
    ...{ kind: 'changed', text: '“Ask”: input url' },
    values: { from: '1', to: '2' },
  });
});

test('names with signs keep their place', () => {
  const before = { ...base, labels: { 'a b': '1' } };
  expect(lines(before, { ...base, labels: { 'a b': '2' } })).toEqual(['Label ["a b"]']);
  expect(lines(base, { ...base, output: { total: 1 } })).toEqual(['Output']);
});
