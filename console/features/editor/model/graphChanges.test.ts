import { expect, test } from '@jest/globals';
import type { Node } from '../../../../domain/workflow/definition.ts';
import {
  edgeProblem,
  impliedEdges,
  joiningNode,
  walkingOrder,
  withChangedNode,
  withEdge,
  withoutNodes,
} from './graphChanges.ts';
import { graph, lines, wait } from './graphTexts.fixture.ts';

test('a removal that joins the ways of a condition is known beforehand', () => {
  const check: Node = { id: 'check', type: 'condition', inputs: { condition: true } };
  const both = graph([wait('a'), check, wait('y'), wait('n')], 'a>check', 'check:true>y', 'check:false>n');
  expect(joiningNode(both, ['y', 'check'])?.id).toBe('check');
  expect(joiningNode(both, ['a', 'y'])).toBeUndefined();
  expect(joiningNode(graph([wait('a'), check, wait('y')], 'a>check', 'check:true>y'), ['check'])).toBeUndefined();
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

test('the trigger leads to the nodes to which no edge leads, but to none within a loop', () => {
  const loop: Node = { id: 'each', type: 'forEach', inputs: { items: [] } };
  const given = graph([wait('a'), loop, wait('in', { parentId: 'each' }), wait('b')], 'a>each');
  expect(impliedEdges(given).map(({ target }) => target)).toEqual(['a', 'b']);
});
