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

/** Where each node of a graph stands that nobody placed: each loop is laid out by itself, the innermost first. */
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

/** What the edges of one node lead to stands side by side in the order of the edges; no two of these contradict each other. */
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
  const graph = new Graph();
  graph.setGraph({ rankdir: isVertical ? 'TB' : 'LR', nodesep: GAP, ranksep: 2.5 * GAP });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const [id, size] of sizes) graph.setNode(id, { ...size });
  for (const { source, target } of edges) if (sizes.has(source) && sizes.has(target)) graph.setEdge(source, target);
  layout(graph, { constraints: ordersBeside(edges) });
  const [left, top] = isInLoop ? [GAP, HEAD] : [0, 0];
  let width = 0;
  let height = 0;
  for (const { id } of nodes) {
    const size = sizes.get(id) ?? { width: NODE_WIDTH, height: NODE_HEIGHT };
    const { x, y } = graph.node(id) as { x: number; y: number };
    const place = { x: x - size.width / 2 + left, y: y - size.height / 2 + top, ...size };
    places.set(id, place);
    width = Math.max(width, place.x + size.width);
    height = Math.max(height, place.y + size.height);
  }
  for (const { id, source, target } of edges) {
    if (!sizes.has(source) || !sizes.has(target)) continue;
    const { points } = graph.edge(source, target) as { points: Point[] };
    ways.set(
      id,
      points.map(({ x, y }) => ({ x: x + left, y: y + top })),
    );
  }
  return { width: Math.max(width + GAP, NODE_WIDTH), height: height + GAP };
}
