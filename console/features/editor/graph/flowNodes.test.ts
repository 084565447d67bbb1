import { expect, test } from '@jest/globals';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import { graphLayout } from '../../../ui/graph/graphLayout.ts';
import { withChangedNode } from '../model/graphChanges.ts';
import { placesOf, structureOf } from '../model/places.ts';
import { FlowNodes } from './flowNodes.ts';

const nodes = Array.from({ length: 200 }, (_, index) => ({
  id: `n${index}`,
  type: 'delay' as const,
  inputs: { forMs: index },
}));
const edges = nodes.slice(1).map(({ id }, index) => ({ id: `e${index}`, source: `n${index}`, target: id }));
const definition: Definition = { trigger: { id: 'trigger', type: 'manual', config: {} }, nodes, edges };
const rest = {
  ...{ moving: new Map(), chosen: [], problems: [], apps: [], samples: {} },
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
});

test('writing in a form moves nothing', () => {
  const written = withChangedNode(definition, 'n7', { ...(nodes[7] as (typeof nodes)[0]), inputs: { forMs: 99 } });
  expect(structureOf(written)).toBe(structureOf(definition));
  expect(structureOf({ ...definition, edges: edges.slice(1) })).not.toBe(structureOf(definition));
});
