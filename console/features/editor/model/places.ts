import { type Definition, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { handlesOf } from '../../../../domain/workflow/handles.ts';
import {
  GAP,
  HEAD,
  isPlaced,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Place,
  type Point,
  placedNodes,
} from '../../../ui/graph/graphShape.ts';
import type { LayOut } from '../../../ui/graph/loadLayout.ts';
import { firstNodes } from './palette.ts';

export interface GraphPlaces {
  places: ReadonlyMap<string, Place>;
  /** Points of edges between their ends, relative to their loop; empty if people placed the nodes. */
  ways: ReadonlyMap<string, readonly Point[]>;
  /** Edges to draw: those of the definition and the trigger's implied ones. */
  edges: Definition['edges'];
}

function drawnEdges(definition: Definition): Definition['edges'] {
  const said = new Set(definition.edges.filter(({ source }) => source === TRIGGER_ID).map(({ target }) => target));
  const unsaid = firstNodes(definition).filter((id) => !said.has(id));
  return [...unsaid.map((id) => ({ id: `${TRIGGER_ID} ${id}`, source: TRIGGER_ID, target: id })), ...definition.edges];
}

/** Sorts edges by the order of ways, so that they do not cross. */
function inOrderOfWays(definition: Definition, edges: Definition['edges']): Definition['edges'] {
  const ways = new Map(definition.nodes.map((node) => [node.id, handlesOf(node)]));
  const rank = ({ source, sourceHandle }: Definition['edges'][number]) =>
    ways.get(source)?.indexOf(sourceHandle ?? undefined) ?? 0;
  return edges.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns everything the layout depends on: equal texts mean equal layouts. */
export function structureOf({ nodes, edges }: Definition): string {
  const shown = nodes.map((node) => {
    const { id, parentId, position } = node;
    return [id, parentId, position?.x, position?.y, handlesOf(node).length];
  });
  return JSON.stringify([
    shown,
    edges.map(({ id, source, target, sourceHandle }) => [id, source, target, sourceHandle]),
  ]);
}

/** Returns positions and sizes, relative to the loop. `layOut`: for a graph that nobody has placed. */
export function placesOf(definition: Definition, isVertical: boolean, layOut: LayOut): GraphPlaces {
  if (isPlaced(definition.nodes)) return placedGraph(definition, isVertical);
  const edges = drawnEdges(definition);
  const all = [
    { id: TRIGGER_ID },
    ...withWays(definition, isVertical).map(({ id, parentId, ways }) => ({ id, parentId, ways })),
  ];
  return { ...layOut(all, inOrderOfWays(definition, edges), isVertical), edges };
}

export function placedGraph(definition: Definition, isVertical: boolean): GraphPlaces {
  const places = placedNodes(withWays(definition, isVertical), TRIGGER_ID, isVertical);
  return { places, ways: new Map(), edges: drawnEdges(definition) };
}

/** Adds the number of ways at a node's side. In a vertical graph they share the width, which is fixed. */
function withWays({ nodes }: Definition, isVertical: boolean) {
  return nodes.map((node) => ({ ...node, ways: isVertical ? 1 : handlesOf(node).length }));
}

/** Writes the position of every node into the definition; `moved` overrides the others. */
export function withPlaces(
  definition: Definition,
  places: ReadonlyMap<string, Point>,
  moved: ReadonlyMap<string, Point>,
): Definition {
  const nodes = definition.nodes.map((node) => {
    const { x, y } = moved.get(node.id) ?? node.position ?? places.get(node.id) ?? { x: 0, y: 0 };
    return { ...node, position: { x: Math.round(x), y: Math.round(y) } };
  });
  return { ...definition, nodes };
}

/** Removes all positions, so that the graph is laid out again. */
export function tidied(definition: Definition): Definition {
  if (definition.nodes.every(({ position }) => position === undefined)) return definition;
  return { ...definition, nodes: definition.nodes.map(({ position: _, ...node }) => node) };
}

export function withPlaceOfNew(
  definition: Definition,
  before: Definition,
  id: string,
  isVertical: boolean,
): Definition {
  if (!isPlaced(before.nodes)) return definition;
  const { places } = placedGraph(before, isVertical);
  const node = definition.nodes.find((one) => one.id === id);
  const source = definition.edges.find(({ target }) => target === id)?.source ?? TRIGGER_ID;
  const from = places.get(source);
  const beside =
    from === undefined || (node?.parentId !== undefined && source === TRIGGER_ID)
      ? { x: GAP, y: HEAD }
      : isVertical
        ? { x: from.x, y: from.y + from.height + 2 * GAP }
        : { x: from.x + from.width + 2 * GAP, y: from.y };
  const taken = definition.nodes.filter((one) => one.id !== id && one.parentId === node?.parentId);
  const isTaken = ({ x, y }: Point) =>
    taken.some(({ position: at }) => at && Math.abs(at.x - x) < NODE_WIDTH && Math.abs(at.y - y) < NODE_HEIGHT);
  const place = { ...beside };
  while (isTaken(place)) {
    if (isVertical) place.x += NODE_WIDTH + GAP;
    else place.y += NODE_HEIGHT + GAP;
  }
  return { ...definition, nodes: definition.nodes.map((one) => (one.id === id ? { ...one, position: place } : one)) };
}
