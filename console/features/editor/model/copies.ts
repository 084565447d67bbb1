import { isJsonObject } from '../../../../domain/json.ts';
import { type Definition, type Edge, isLoop, type Node, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { isPlaced, type Point } from '../../../ui/graph/graphShape.ts';
import type { LayOut } from '../../../ui/graph/loadLayout.ts';
import { undrawableNode } from './drawable.ts';
import { edgeOf, nodeOf, withInner, withReferences } from './graphChanges.ts';
import { freeId } from './palette.ts';
import { placedGraph } from './places.ts';

/** Copied nodes with the edges between them, as the clipboard contains them in YAML. */
export interface Clip {
  nodes: Node[];
  edges: Edge[];
}

const BESIDE = 40;

export function clipOf(definition: Definition, ids: readonly string[]): Clip {
  const all = withInner(definition, ids);
  return {
    nodes: definition.nodes.filter(({ id }) => all.has(id)),
    edges: definition.edges.filter(({ source, target }) => all.has(source) && all.has(target)),
  };
}

/** Reads nodes from a clipboard value, which may be a whole definition; undefined if it contains none. */
export function clipIn(value: unknown): Clip | undefined {
  if (!isJsonObject(value)) return undefined;
  const { nodes, edges = [] } = value;
  if (!Array.isArray(nodes) || nodes.length === 0 || !Array.isArray(edges)) return undefined;
  const ids = new Set<unknown>([TRIGGER_ID]);
  if (nodes.some((node) => undrawableNode(node, ids) !== undefined)) return undefined;
  const isAmong = (edge: unknown) =>
    isJsonObject(edge) && edge.source !== TRIGGER_ID && ids.has(edge.source) && ids.has(edge.target);
  return { nodes: nodes as unknown as Node[], edges: edges.filter(isAmong) as unknown as Edge[] };
}

/** Pastes copies under unused ids; their expressions refer to the copies. Returns the ids of the outermost copies. */
export function withClip(
  definition: Definition,
  clip: Clip,
  isVertical: boolean,
  layOut: LayOut,
): { definition: Definition; ids: string[] } {
  const copies = new Map<string, string>();
  let all = definition;
  for (const node of clip.nodes) {
    const id = freeId(all, nodeOf(all, node.id) === undefined ? node.id : node.id.replace(/\d+$/, ''));
    copies.set(node.id, id);
    all = { ...all, nodes: [...all.nodes, { ...node, id }] };
  }
  const places = placesOfCopies(definition, clip, isVertical, layOut);
  const nodes = clip.nodes.map(({ position: _, parentId: outer, ...node }) => {
    const position = places.get(node.id);
    const parentId = copies.get(outer ?? '') ?? (holds(definition, outer) ? outer : undefined);
    return {
      ...node,
      id: copies.get(node.id) as string,
      ...(parentId === undefined ? {} : { parentId }),
      ...(node.inputs == null ? {} : { inputs: withReferences(node.inputs, copies) }),
      ...(position === undefined ? {} : { position }),
    } as Node;
  });
  const edges = clip.edges.map(({ source, target, sourceHandle }) =>
    edgeOf(copies.get(source) as string, copies.get(target) as string, sourceHandle),
  );
  const ids = clip.nodes
    .filter(({ parentId }) => !copies.has(parentId ?? ''))
    .map(({ id }) => copies.get(id) as string);
  return {
    definition: { ...definition, nodes: [...definition.nodes, ...nodes], edges: [...definition.edges, ...edges] },
    ids,
  };
}

function holds(definition: Definition, id: string | undefined): boolean {
  const node = nodeOf(definition, id);
  return node !== undefined && isLoop(node.type);
}

/** Places copies next to or below the existing nodes; leaves them unplaced in a graph that is laid out. */
function placesOfCopies(
  definition: Definition,
  { nodes, edges }: Clip,
  isVertical: boolean,
  layOut: LayOut,
): Map<string, Point> {
  if (!isPlaced(definition.nodes)) return new Map();
  const inner = new Set(nodes.map(({ id }) => id));
  const shift = ({ x, y }: Point, { parentId }: Node, by: Point) =>
    inner.has(parentId ?? '') ? { x, y } : { x: x + by.x, y: y + by.y };
  if (isPlaced(nodes)) {
    const by = { x: BESIDE, y: BESIDE };
    return new Map(nodes.map((node) => [node.id, shift(node.position ?? by, node, by)]));
  }
  const laidOut = layOut(
    nodes.map(({ id, parentId }) => (inner.has(parentId ?? '') ? { id, parentId } : { id })),
    edges,
    isVertical,
  ).places;
  const { places } = placedGraph(definition, isVertical);
  const tops = definition.nodes
    .filter(({ parentId }) => parentId === undefined)
    .flatMap(({ id }) => places.get(id) ?? []);
  const below = {
    x: Math.min(...tops.map(({ x }) => x)),
    y: Math.max(...tops.map(({ y, height }) => y + height)) + BESIDE,
  };
  return new Map(nodes.map((node) => [node.id, shift(laidOut.get(node.id) ?? { x: 0, y: 0 }, node, below)]));
}
