import { expect, test } from '@jest/globals';
import type { Definition, Node } from '../../domain/workflow/definition.ts';
import {
  edgeProblem,
  joiningNode,
  spotOf,
  walkingOrder,
  withChangedNode,
  withEdge,
  withNode,
  withNodeOnEdge,
  withoutNodes,
} from './graphChanges.ts';

const wait = (id: string, more: Partial<Node> = {}): Node => ({ id, type: 'delay', inputs: { forMs: 1 }, ...more });
const edges = (...texts: string[]) =>
  texts.map((text) => {
    const [from = '', target = ''] = text.split('>');
    const [source = '', handle] = from.split(':');
    return { id: text, source, target, ...(handle === undefined ? {} : { sourceHandle: handle }) };
  });
const graph = (nodes: Node[], ...lines: string[]): Definition => ({
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes,
  edges: edges(...lines),
});
const lines = ({ edges: all }: Definition) =>
  all.map(
    ({ source, sourceHandle, target }) => `${source}${sourceHandle === undefined ? '' : `:${sourceHandle}`}>${target}`,
  );
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

test('dropped on an edge a node stands between its ends, by the way that the edge took', () => {
  const check: Node = { id: 'check', type: 'condition', inputs: { condition: true } };
  const before = graph([check, wait('a'), wait('b')], 'check:true>a', 'check:false>b');
  const [, no] = before.edges;
  if (no === undefined) throw new Error('no edge');
  const made = withNodeOnEdge(before, fresh, 'new', no)?.definition;
  expect(made && lines(made)).toEqual(['check:true>a', 'check:false>new', 'new>b']);
  const start = withNodeOnEdge(before, fresh, 'new', { source: 'trigger', target: 'check' })?.definition;
  expect(start && lines(start)).toEqual(['check:true>a', 'check:false>b', 'new>check']);
  // Nothing can follow it: it is put beside.
  expect(withNodeOnEdge(before, { type: 'stop', inputs: {} }, 'end', no)).toBeUndefined();
});

test('a removal that joins the ways of a condition is known beforehand', () => {
  const check: Node = { id: 'check', type: 'condition', inputs: { condition: true } };
  const both = graph([wait('a'), check, wait('y'), wait('n')], 'a>check', 'check:true>y', 'check:false>n');
  expect(joiningNode(both, ['y', 'check'])?.id).toBe('check');
  expect(joiningNode(both, ['a', 'y'])).toBeUndefined();
  expect(joiningNode(graph([wait('a'), check, wait('y')], 'a>check', 'check:true>y'), ['check'])).toBeUndefined();
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

test('without a node, what led to it leads on; a loop takes along what is in it', () => {
  const loop: Node = { id: 'each', type: 'forEach', inputs: { items: [] } };
  const before = graph([wait('a'), loop, wait('in', { parentId: 'each' }), wait('b')], 'a>each', 'each>b');
  const after = withoutNodes(before, ['each']);
  expect(after.nodes.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(lines(after)).toEqual(['a>b']);
});

test('an edge that would make a circle, cross a loop or be there twice is none', () => {
  const loop: Node = { id: 'each', type: 'forEach', inputs: { items: [] } };
  const given = graph([wait('a'), wait('b'), loop, wait('in', { parentId: 'each' })], 'a>b');
  expect(edgeProblem(given, 'b', 'a', undefined)).toBe('circle');
  expect(edgeProblem(given, 'a', 'in', undefined)).toBe('scope');
  expect(edgeProblem(given, 'a', 'b', undefined)).toBe('there');
  expect(edgeProblem(given, 'a', 'a', undefined)).toBe('same');
  expect(edgeProblem(given, 'a', 'each', 'error')).toBe('end');
  expect(lines(withEdge(given, 'b', 'each', undefined))).toEqual(['a>b', 'b>each']);
});

test('edges follow a case that gets another name, and go with one that is removed', () => {
  const cases = (...names: string[]): Node => ({
    id: 's',
    type: 'switch',
    inputs: { cases: names.map((name) => ({ name, when: true })) },
  });
  const before = graph([cases('big', 'small'), wait('a'), wait('b')], 's:big>a', 's:small>b');
  expect(lines(withChangedNode(before, 's', cases('huge', 'small')))).toEqual(['s:huge>a', 's:small>b']);
  expect(lines(withChangedNode(before, 's', cases('small')))).toEqual(['s:small>b']);
});

test('nodes are walked in the order in which they run, a loop before what is in it', () => {
  const loop: Node = { id: 'each', type: 'forEach', inputs: { items: [] } };
  const given = graph([wait('b'), wait('in', { parentId: 'each' }), loop, wait('a')], 'a>each', 'each>b');
  expect(walkingOrder(given)).toEqual(['a', 'each', 'in', 'b']);
});
