import { type Definition, type Node, TRIGGER_ID } from '../../domain/workflow/definition.ts';
import { graphLayout, NODE_HEIGHT, NODE_WIDTH, type Place, type Point } from '../parts/graphLayout.ts';
import { firstNodes } from './graphChanges.ts';

const GAP = 24;
const HEAD = 72;

export interface GraphPlaces {
  places: ReadonlyMap<string, Place>;
  /** Around the nodes between its ends, relative to its loop; empty where people placed the nodes. */
  ways: ReadonlyMap<string, readonly Point[]>;
  /** Edges to draw: those of the definition, and from the trigger to what starts with it. */
  edges: Definition['edges'];
}

/** Edges of the graph as it is drawn: the trigger leads to what starts with it, whether the definition says so or not. */
export function drawnEdges(definition: Definition): Definition['edges'] {
  const said = new Set(definition.edges.filter(({ source }) => source === TRIGGER_ID).map(({ target }) => target));
  const unsaid = firstNodes(definition).filter((id) => !said.has(id));
  return [...unsaid.map((id) => ({ id: `${TRIGGER_ID} ${id}`, source: TRIGGER_ID, target: id })), ...definition.edges];
}

/** Whether people have placed the nodes themselves; otherwise they are laid out. */
export function isPlaced({ nodes }: Definition): boolean {
  return nodes.length > 0 && nodes.every(({ position }) => position !== undefined);
}

/** All of a definition that its layout depends on: equal texts, equal places. */
export function structureOf({ nodes, edges }: Definition): string {
  const shown = nodes.map(({ id, parentId, position }) => [id, parentId, position?.x, position?.y]);
  return JSON.stringify([
    shown,
    edges.map(({ id, source, target, sourceHandle }) => [id, source, target, sourceHandle]),
  ]);
}

/** Where each node stands and how large it is, relative to its loop. */
export function placesOf(definition: Definition, isVertical: boolean): GraphPlaces {
  const edges = drawnEdges(definition);
  if (isPlaced(definition)) return { places: placedByPeople(definition, isVertical), ways: new Map(), edges };
  const all = [{ id: TRIGGER_ID }, ...definition.nodes.map(({ id, parentId }) => ({ id, parentId }))];
  return { ...graphLayout(all, edges, isVertical), edges };
}

function placedByPeople({ nodes }: Definition, isVertical: boolean): Map<string, Place> {
  const places = new Map<string, Place>();
  const inside = (parentId: string | undefined) => nodes.filter((node) => node.parentId === parentId);
  const sizeOf = (node: Node, depth: number): { width: number; height: number } => {
    const inner = depth > nodes.length ? [] : inside(node.id);
    let [width, height] = [NODE_WIDTH, inner.length > 0 ? HEAD + NODE_HEIGHT : NODE_HEIGHT];
    for (const one of inner) {
      const size = sizeOf(one, depth + 1);
      width = Math.max(width, (one.position?.x ?? 0) + size.width + GAP);
      height = Math.max(height, (one.position?.y ?? 0) + size.height + GAP);
    }
    places.set(node.id, { x: node.position?.x ?? 0, y: node.position?.y ?? 0, width, height });
    return { width, height };
  };
  const tops = inside(undefined);
  for (const node of tops) sizeOf(node, 0);
  const left = Math.min(...tops.map(({ position }) => position?.x ?? 0));
  const top = Math.min(...tops.map(({ position }) => position?.y ?? 0));
  const trigger = isVertical ? { x: left, y: top - NODE_HEIGHT - 2 * GAP } : { x: left - NODE_WIDTH - 2 * GAP, y: top };
  places.set(TRIGGER_ID, { ...trigger, width: NODE_WIDTH, height: NODE_HEIGHT });
  return places;
}

/** The definition with the place of every node written down, some of them others. */
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

/** Laid out again: nobody's places are written down any more. */
export function tidied(definition: Definition): Definition {
  if (definition.nodes.every(({ position }) => position === undefined)) return definition;
  return { ...definition, nodes: definition.nodes.map(({ position: _, ...node }) => node) };
}

/** Where a node that was just added to a graph of placed nodes goes: beside what leads to it. */
export function withPlaceOfNew(
  definition: Definition,
  before: Definition,
  id: string,
  isVertical: boolean,
): Definition {
  if (!isPlaced(before)) return definition;
  const { places } = placesOf(before, isVertical);
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
