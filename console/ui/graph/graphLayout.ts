import { Graph, layout } from '@dagrejs/dagre';
import {
  GAP,
  HEAD,
  type LaidEdge,
  type LaidNode,
  type Layout,
  NODE_HEIGHT,
  NODE_WIDTH,
  nodeHeight,
  type Point,
} from './graphShape.ts';

/** Lays out a graph without positions. Each loop is laid out separately, the innermost first. */
export function graphLayout(nodes: readonly LaidNode[], edges: readonly LaidEdge[], isVertical: boolean): Layout {
  const laid: Layout = { places: new Map(), ways: new Map() };
  const children = new Map<string | undefined, LaidNode[]>();
  for (const node of nodes) children.set(node.parentId, [...(children.get(node.parentId) ?? []), node]);
  const lay = (parentId: string | undefined): { width: number; height: number } => {
    const own = children.get(parentId) ?? [];
    const sizes = new Map(
      own.map((node) => [
        node.id,
        children.has(node.id) ? lay(node.id) : { width: NODE_WIDTH, height: nodeHeight(node) },
      ]),
    );
    return layGroup(own, edges, { sizes, isVertical, isInLoop: parentId !== undefined }, laid);
  };
  lay(undefined);
  return laid;
}

/** Orders the targets of each node like its edges, without contradictions between nodes. */
function ordersBeside(edges: readonly LaidEdge[]): { left: string; right: string }[] {
  const first = new Map<string, number>();
  const last = new Map<string, string>();
  const orders: { left: string; right: string }[] = [];
  for (const { source, target } of edges) {
    if (!first.has(target)) first.set(target, first.size);
    const before = last.get(source);
    last.set(source, target);
    if (before !== undefined && (first.get(before) ?? 0) < (first.get(target) ?? 0)) {
      orders.push({ left: before, right: target });
    }
  }
  return orders;
}

interface Group {
  sizes: Map<string, { width: number; height: number }>;
  isVertical: boolean;
  isInLoop: boolean;
}

function layGroup(
  nodes: readonly LaidNode[],
  edges: readonly LaidEdge[],
  { sizes, isVertical, isInLoop }: Group,
  { places, ways }: Layout,
): { width: number; height: number } {
  const own = edges.filter(({ source, target }) => sizes.has(source) && sizes.has(target));
  const graph = laidOut(sizes, own, isVertical);
  const [left, top] = isInLoop ? [GAP, HEAD] : [0, 0];
  let width = 0;
  let height = 0;
  for (const { id } of nodes) {
    const size = sizes.get(id) ?? { width: NODE_WIDTH, height: NODE_HEIGHT };
    const { x, y } = graph.node(id) as Point;
    const place = { x: x - size.width / 2 + left, y: y - size.height / 2 + top, ...size };
    places.set(id, place);
    width = Math.max(width, place.x + size.width);
    height = Math.max(height, place.y + size.height);
  }
  for (const edge of own) {
    const points = pointsOf(graph, edge);
    if (points !== undefined)
      ways.set(
        edge.id,
        points.map(({ x, y }) => ({ x: x + left, y: y + top })),
      );
  }
  return { width: Math.max(width + GAP, NODE_WIDTH), height: height + GAP };
}

/** The points of an edge between neighbouring columns: both ends, and the middle for dagre's label. */
const NEIGHBOURS = 3;

/** The id of a placeholder node for an edge that passes the other targets of its source. */
const passing = ({ id }: LaidEdge) => `passes ${id}`;

/** Edges that skip a column get a place of their own there. A first layout shows which edges these are. */
function laidOut(sizes: Group['sizes'], edges: readonly LaidEdge[], isVertical: boolean): Graph {
  const first = drawn(sizes, edges, isVertical);
  const along = (id: string) => (first.node(id) as Point)[isVertical ? 'y' : 'x'];
  const nextOf = new Map<string, number>();
  for (const { source, target } of edges) {
    nextOf.set(source, Math.min(nextOf.get(source) ?? Number.POSITIVE_INFINITY, along(target)));
  }
  const long = new Set(edges.filter(({ source, target }) => along(target) > (nextOf.get(source) ?? along(target))));
  if (long.size === 0) return first;
  const withPassing = new Map(sizes);
  for (const edge of long) withPassing.set(passing(edge), { width: 0, height: 0 });
  const parts = edges.flatMap((edge) =>
    long.has(edge)
      ? [
          { ...edge, target: passing(edge) },
          { ...edge, source: passing(edge) },
        ]
      : [edge],
  );
  return drawn(withPassing, parts, isVertical);
}

function drawn(sizes: Group['sizes'], edges: readonly LaidEdge[], isVertical: boolean): Graph {
  const graph = new Graph();
  graph.setGraph({ rankdir: isVertical ? 'TB' : 'LR', nodesep: GAP, ranksep: 2.5 * GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, size] of sizes) graph.setNode(id, { ...size });
  for (const { source, target } of edges) graph.setEdge(source, target);
  layout(graph, { constraints: ordersBeside(edges) });
  return graph;
}

/** Undefined between neighbouring columns: an extra point could lead the curve over other edges of the same source. */
function pointsOf(graph: Graph, edge: LaidEdge): Point[] | undefined {
  const points = (source: string, target: string) => (graph.edge(source, target) as { points: Point[] }).points;
  if (graph.hasNode(passing(edge))) {
    return [...points(edge.source, passing(edge)).slice(0, 1), ...points(passing(edge), edge.target)];
  }
  const whole = points(edge.source, edge.target);
  return whole.length > NEIGHBOURS ? whole : undefined;
}
