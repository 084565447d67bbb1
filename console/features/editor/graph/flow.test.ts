import { expect, test } from '@jest/globals';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { graphLayout } from '../../../ui/graph/graphLayout.ts';
import { withChangedNode } from '../model/graphChanges.ts';
import { placesOf, structureOf } from '../model/places.ts';
import { FlowEdges, FlowNodes } from './flow.ts';

const nodes = Array.from({ length: 200 }, (_, index) => ({
  id: `n${index}`,
  type: 'delay' as const,
  inputs: { forMs: index },
}));
const edges = nodes.slice(1).map(({ id }, index) => ({ id: `e${index}`, source: `n${index}`, target: id }));
const definition: Definition = { trigger: { id: 'trigger', type: 'manual', config: {} }, nodes, edges };
const rest = {
  ...{ moving: new Map(), chosen: [], problems: [], apps: [], samples: {}, states: undefined },
  ...{ isVertical: false, isReadOnly: false },
};

test('of 200 nodes the one that was changed is drawn again, and no other', () => {
  const maker = new FlowNodes();
  const graph = placesOf(definition, false, graphLayout);
  const before = maker.make({ definition, graph, ...rest });
  expect(maker.make({ definition, graph, ...rest })).toEqual(before);
  const renamed = withChangedNode(definition, 'n7', { ...(nodes[7] as (typeof nodes)[0]), name: 'Seven' } as never);
  const after = maker.make({ definition: renamed, graph, ...rest });
  expect(after.filter((node, index) => node !== before[index]).map(({ id }) => id)).toEqual(['n7']);
  const chosen = maker.make({ definition: renamed, graph, ...rest, chosen: ['n9'] });
  expect(chosen.filter((node, index) => node !== after[index]).map(({ id }) => id)).toEqual(['n9']);
  const sampled = maker.make({ definition: renamed, graph, ...rest, chosen: ['n9'], samples: { n3: null } });
  expect(sampled.filter((node, index) => node !== chosen[index])).toMatchObject([
    { id: 'n3', ariaLabel: expect.stringMatching(/, has a sample$/) },
  ]);
  const states = new Map([['n5', 'FAILED' as const]]);
  const ran = maker.make({ definition: renamed, graph, ...rest, states });
  expect(ran.find(({ id }) => id === 'n5')?.ariaLabel).toBe('n5: Wait, Failed');
});

test('writing in a form moves nothing', () => {
  const written = withChangedNode(definition, 'n7', { ...(nodes[7] as (typeof nodes)[0]), inputs: { forMs: 99 } });
  expect(structureOf(written)).toBe(structureOf(definition));
  expect(structureOf({ ...definition, edges: edges.slice(1) })).not.toBe(structureOf(definition));
});

const edgeRest = { isMoving: false, chosen: [] };

test('a letter in a form makes no edge another one, and a letter of a name those of its node alone', () => {
  const maker = new FlowEdges();
  const graph = placesOf(definition, false, graphLayout);
  const before = maker.make({ definition, graph, ...edgeRest });
  expect(before).toHaveLength(200);
  const node = nodes[7] as (typeof nodes)[0];
  const written = withChangedNode(definition, 'n7', { ...node, inputs: { forMs: 99 } });
  expect(maker.make({ definition: written, graph, ...edgeRest })).toBe(before);
  const named = withChangedNode(definition, 'n7', { ...node, name: 'Seven' } as never);
  expect(structureOf(named)).toBe(structureOf(definition));
  const after = maker.make({ definition: named, graph, ...edgeRest });
  const others = after.filter((edge, index) => edge !== before[index]);
  expect(others.map(({ ariaLabel }) => ariaLabel)).toEqual(['n6 → Seven', 'Seven → n8']);
  const chosen = maker.make({ definition: named, graph, ...edgeRest, chosen: ['e9'] });
  expect(chosen.filter((edge, index) => edge !== after[index])).toEqual([
    expect.objectContaining({ id: 'e9', selected: true }),
  ]);
});

test('a layout that moves one end leaves the ways of the others', () => {
  const maker = new FlowEdges();
  const before = maker.make({ definition, graph: placesOf(definition, false, graphLayout), ...edgeRest });
  const shorter = { ...definition, nodes: nodes.slice(0, -1), edges: edges.slice(0, -1) };
  const after = maker.make({ definition: shorter, graph: placesOf(shorter, false, graphLayout), ...edgeRest });
  expect(after.every((edge, index) => edge === before[index])).toBe(true);
});
