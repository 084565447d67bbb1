import type { Edge, MarkerType } from '@xyflow/react';
import { type Definition, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import type { Point } from '../../../ui/graph/graphShape.ts';
import type { Way } from '../../../ui/graph/WayEdge.tsx';
import { labelOf } from '../model/inputSpecs.ts';
import type { GraphPlaces } from '../model/places.ts';
import { EDITOR } from '../words/editor.ts';
import { NOWHERE } from './flowNodes.ts';
import { sameOr } from './sameOr.ts';

interface Making {
  definition: Definition;
  graph: GraphPlaces;
  /** While nodes are dragged, edges follow as plain curves. */
  isMoving: boolean;
  chosen: readonly string[];
}

/** Makes edges for React Flow, as laid out or as plain curves. An unchanged edge stays the same object. */
export class FlowEdges {
  #made = new Map<string, { key: string; edge: Edge }>();
  #all: Edge[] = [];

  make({ definition, graph, isMoving, chosen }: Making): Edge[] {
    const { places, ways, edges } = graph;
    const byId = new Map(definition.nodes.map((node) => [node.id, node]));
    const nameOf = (id: string) => {
      const node = byId.get(id);
      return node === undefined ? EDITOR.graph.trigger : labelOf(node);
    };
    const originOf = (id: string | undefined, depth = 0): Point => {
      if (id === undefined || depth > 10) return { x: 0, y: 0 };
      const { x, y } = places.get(id) ?? NOWHERE;
      const outer = originOf(byId.get(id)?.parentId, depth + 1);
      return { x: x + outer.x, y: y + outer.y };
    };
    const picked = new Set(chosen);
    const made = new Map<string, { key: string; edge: Edge }>();
    for (const edge of edges) {
      const origin = originOf(byId.get(edge.source)?.parentId);
      const way = isMoving ? undefined : ways.get(edge.id);
      const points = way?.map(({ x, y }) => ({ x: x + origin.x, y: y + origin.y }));
      const label = `${nameOf(edge.source)} → ${nameOf(edge.target)}`;
      const key = JSON.stringify([edge, label, points, picked.has(edge.id)]);
      const before = this.#made.get(edge.id);
      made.set(
        edge.id,
        before?.key === key ? before : { key, edge: flowEdge(edge, label, points, picked.has(edge.id)) },
      );
    }
    this.#made = made;
    this.#all = sameOr(
      this.#all,
      [...made.values()].map(({ edge }) => edge),
    );
    return this.#all;
  }
}

function flowEdge(
  { id, source, target, sourceHandle }: Definition['edges'][number],
  ariaLabel: string,
  points: Point[] | undefined,
  isChosen: boolean,
): Edge {
  // The implied edge from the trigger is not in the definition, so it cannot be deleted.
  const isOwn = id !== `${TRIGGER_ID} ${target}`;
  const common = {
    ...{ id, source, target, sourceHandle: sourceHandle ?? '', ariaLabel, deletable: isOwn, focusable: isOwn },
    ...(sourceHandle === undefined ? {} : { label: sourceHandle }),
    markerEnd: { type: 'arrowclosed' as MarkerType },
    ...(isChosen ? { selected: true } : {}),
  };
  if (points === undefined) return { ...common, type: 'default' };
  const data: Way = { points };
  return { ...common, type: 'way', data };
}
