import { expect, test } from '@jest/globals';
import { definitionOf, edge, node, problemsOf } from './graphs.fixture.ts';

test('a graph of React Flow gives the same definition', () => {
  const plain = { nodes: [node('a'), node('b')], edges: [edge('a', 'b')] };
  const drawn = {
    nodes: plain.nodes.map((each) => ({
      ...each,
      data: { label: 'drawn' },
      width: 150,
      height: 40,
      measured: { width: 150, height: 40 },
      selected: true,
      dragging: false,
      positionAbsolute: { x: 1, y: 2 },
    })),
    edges: plain.edges.map((each) => ({ ...each, type: 'smoothstep', animated: true, data: {}, targetHandle: null })),
  };
  expect(definitionOf(drawn)).toEqual(definitionOf(plain));
});

test('members that React Flow does not add are refused', () => {
  const graph = {
    nodes: [node('a', { colour: 'red', animated: true }), node('b')],
    edges: [{ ...edge('a', 'b'), width: 1 }],
  };
  expect(problemsOf(graph).map((problem) => problem.split(':')[0])).toEqual([
    'nodes[0].colour',
    'nodes[0].animated',
    'edges[0].width',
  ]);
});
