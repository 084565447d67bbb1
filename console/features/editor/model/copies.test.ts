import { expect, test } from '@jest/globals';
import type { Definition, Node } from '../../../../domain/workflow/definition.ts';
import { graphLayout } from '../../../ui/graph/graphLayout.ts';
import { clipIn, clipOf, withClip } from './copies.ts';
import { edgeOf } from './graphChanges.ts';

const set = (id: string, value: string, more: Partial<Node> = {}): Node => ({
  ...{ id, type: 'action', appId: 'core', actionId: 'transform', inputs: { value } },
  ...more,
});
const each: Node = { id: 'each', type: 'forEach', inputs: { items: '{{ steps.a.output }}' } };
const definition: Definition = {
  trigger: { id: 'trigger', type: 'manual', config: {} },
  nodes: [
    set('a', '{{ trigger.x }}'),
    set('b', '{{ steps.a.output + steps["a"].n + steps.ab }}'),
    each,
    set('in', '{{ loops.each.index + steps.b.output }}', { parentId: 'each' }),
  ],
  edges: [edgeOf('a', 'b', undefined), edgeOf('b', 'each', undefined)],
};
const edgesOf = ({ edges }: Definition) => edges.map(({ source, target }) => `${source}>${target}`);
const valuesOf = ({ nodes }: Definition) => Object.fromEntries(nodes.map(({ id, inputs }) => [id, inputs?.value]));

test('copies keep the edges among them, and their expressions name the copies', () => {
  const made = withClip(definition, clipOf(definition, ['a', 'b']), false, graphLayout);
  expect(made.ids).toEqual(['a2', 'b2']);
  expect(edgesOf(made.definition)).toEqual(['a>b', 'b>each', 'a2>b2']);
  expect(valuesOf(made.definition)).toMatchObject({
    b: '{{ steps.a.output + steps["a"].n + steps.ab }}',
    b2: '{{ steps.a2.output + steps.a2.n + steps.ab }}',
  });
});

test('a loop is copied with what is in it; what it names outside stays', () => {
  const made = withClip(definition, clipOf(definition, ['each']), false, graphLayout);
  expect(made.ids).toEqual(['each2']);
  expect(made.definition.nodes.slice(-2)).toEqual([
    { ...each, id: 'each2' },
    set('in2', '{{ loops.each2.index + steps.b.output }}', { parentId: 'each2' }),
  ]);
});

test('a copy of a node in a loop is in that loop, or at the top of a workflow without it', () => {
  const clip = clipOf(definition, ['in']);
  expect(withClip(definition, clip, false, graphLayout).definition.nodes.at(-1)).toMatchObject({
    id: 'in2',
    parentId: 'each',
  });
  const other = { ...definition, nodes: [], edges: [] };
  expect(withClip(other, clip, false, graphLayout).definition.nodes).toEqual([
    set('in', '{{ loops.each.index + steps.b.output }}'),
  ]);
});

test('among placed nodes, a copy is next to its original, and one without a place is below all', () => {
  const placed = {
    ...definition,
    nodes: [set('a', '', { position: { x: 10, y: 20 } }), set('b', '', { position: { x: 300, y: 20 } })],
    edges: [],
  };
  const beside = withClip(placed, clipOf(placed, ['a']), false, graphLayout).definition.nodes.at(-1);
  expect(beside?.position).toEqual({ x: 50, y: 60 });
  const below = withClip(placed, { nodes: [set('c', '')], edges: [] }, false, graphLayout).definition.nodes.at(-1);
  expect(below?.position?.y).toBeGreaterThan(60);
  const laidOut = withClip(definition, clipOf(placed, ['a']), false, graphLayout).definition.nodes.at(-1);
  expect(laidOut).not.toHaveProperty('position');
});

test.each([
  ['a text', 'hello'],
  ['a list', []],
  ['no nodes', { nodes: [] }],
  ['a node of no type', { nodes: [{ id: 'a', type: 'x' }] }],
  ['an id twice', { nodes: [each, each] }],
])('%s is nothing that can be pasted', (_, value) => {
  expect(clipIn(value)).toBeUndefined();
});

test('a whole definition gives its nodes, and the edges among them', () => {
  const given = { ...definition, edges: [...definition.edges, edgeOf('trigger', 'a', undefined)] };
  expect(clipIn(given)).toEqual({ nodes: definition.nodes, edges: definition.edges });
});
