import { expect, test } from '@jest/globals';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { graph, lines, wait } from './graphTexts.fixture.ts';
import { idOfName, spotOf, withNode, withNodeOnEdge } from './palette.ts';

const fresh = { type: 'delay' as const, inputs: {} };

test('a new node goes behind the last one, and between two where the way is taken', () => {
  const chain = graph([wait('a'), wait('b')], 'a>b');
  expect(lines(withNode(chain, fresh, 'new', { after: 'b' }).definition)).toEqual(['a>b', 'b>new']);
  expect(lines(withNode(chain, fresh, 'new', { after: 'a' }).definition)).toEqual(['a>new', 'new>b']);
});

test('behind the trigger it comes before what began', () => {
  expect(lines(withNode(graph([wait('a')]), fresh, 'new', { after: 'trigger' }).definition)).toEqual(['new>a']);
});

test('behind a condition it takes the first way that is free', () => {
  const check: Node = { id: 'check', type: 'condition', inputs: { condition: true } };
  const first = withNode(graph([check]), fresh, 'yes', { after: 'check' }).definition;
  const second = withNode(first, fresh, 'no', { after: 'check' }).definition;
  expect(lines(second)).toEqual(['check:true>yes', 'check:false>no']);
});

test('a node dropped on an edge is placed between its ends and keeps the handle of the edge', () => {
  const check: Node = { id: 'check', type: 'condition', inputs: { condition: true } };
  const before = graph([check, wait('a'), wait('b')], 'check:true>a', 'check:false>b');
  const [, no] = before.edges;
  if (no === undefined) throw new Error('no edge');
  const made = withNodeOnEdge(before, fresh, 'new', no)?.definition;
  expect(made && lines(made)).toEqual(['check:true>a', 'check:false>new', 'new>b']);
  const start = withNodeOnEdge(before, fresh, 'new', { source: 'trigger', target: 'check' })?.definition;
  expect(start && lines(start)).toEqual(['check:true>a', 'check:false>b', 'new>check']);
  // Nothing can follow this node, so it does not go between the ends.
  expect(withNodeOnEdge(before, { type: 'stop', inputs: {} }, 'end', no)).toBeUndefined();
});

test('an id that is taken gets a number, and the trigger keeps its own', () => {
  expect(withNode(graph([wait('wait')]), fresh, 'wait', { after: 'wait' }).id).toBe('wait2');
  expect(withNode(graph([]), fresh, 'trigger', { after: 'trigger' }).id).toBe('trigger2');
});

test('a node in a loop belongs to it, and what is added behind it, too', () => {
  const loop: Node = { id: 'each', type: 'forEach', inputs: { items: [] } };
  expect(spotOf(graph([loop]), 'each')).toEqual({ inside: 'each' });
  const inside = withNode(graph([loop]), fresh, 'in', { inside: 'each' }).definition;
  expect(spotOf(inside, 'each')).toEqual({ after: 'each' });
  const more = withNode(inside, fresh, 'next', { after: 'in' }).definition;
  expect(more.nodes.map(({ id, parentId }) => [id, parentId])).toEqual([
    ['each', undefined],
    ['in', 'each'],
    ['next', 'each'],
  ]);
});

test('behind a node it takes the way that is asked for, and leaves the others as they are', () => {
  const ask: Node = { id: 'ask', type: 'input', inputs: { fields: [] }, onError: 'route' };
  const before = graph([ask, wait('a')], 'ask>a');
  const late = withNode(before, fresh, 'late', { after: 'ask', way: 'expired' }).definition;
  expect(lines(late)).toEqual(['ask>a', 'ask:expired>late']);
  const wrong = withNode(late, fresh, 'wrong', { after: 'ask', way: 'error' }).definition;
  expect(lines(wrong)).toEqual(['ask>a', 'ask:expired>late', 'ask:error>wrong']);
  // If the way already has an edge, the node goes between its ends.
  expect(lines(withNode(wrong, fresh, 'new', { after: 'ask', way: 'error' }).definition)).toEqual([
    'ask>a',
    'ask:expired>late',
    'ask:error>new',
    'new>wrong',
  ]);
});

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
