import { expect, test } from '@jest/globals';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { idOfName } from './idOfName.ts';

const check = (more: Partial<Node>): Node => ({ id: 'check', type: 'condition', inputs: {}, ...more });
const among = (...nodes: Node[]): Definition => ({
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes,
  edges: [],
});
const idFor = (node: Node, before: string | undefined, ...others: Node[]) =>
  idOfName(among(node, ...others), node, before);

test.each([
  ['Is it much?', 'isItMuch'],
  ['Ärger & Söhne 2', 'argerSohne2'],
  ['金额', undefined],
  ['2nd try', undefined],
  ['', undefined],
])('a node that is called %j gets the id %j', (name, id) => {
  expect(idFor(check({ name }), 'Condition')).toBe(id);
});

test('an id that somebody chose stays; one that was made follows, also a second time', () => {
  expect(idFor(check({ id: 'mine', name: 'Much' }), 'Condition')).toBeUndefined();
  expect(idFor(check({ id: 'check2', name: 'Much' }), 'Condition')).toBe('much');
  expect(idFor(check({ id: 'much', name: 'Too much' }), 'Much')).toBe('tooMuch');
  const set: Node = { id: 'set', type: 'action', appId: 'core', actionId: 'set', name: 'Total', inputs: {} };
  expect(idFor(set, 'Set fields')).toBe('total');
});

test('an id of another node, and that of the trigger, get a number; the own one is free', () => {
  expect(idFor(check({ name: 'Much' }), 'Condition', check({ id: 'much' }))).toBe('much2');
  expect(idFor(check({ name: 'Trigger' }), 'Condition')).toBe('trigger2');
  expect(idFor(check({ id: 'much', name: 'Much!' }), 'Much')).toBe('much');
});
