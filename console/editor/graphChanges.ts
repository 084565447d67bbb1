import { type Definition, type Edge, isLoop, type Node, TRIGGER_ID } from '../../domain/workflow/definition.ts';
import { findCycle, topologicalOrder } from '../../domain/workflow/graph.ts';
import { caseNames, handlesOf } from '../../domain/workflow/handles.ts';

/** Where a new node goes: behind another one (or the trigger), or as the first in a loop. */
export type Spot = { after: string } | { inside: string };

export type NewNode = Omit<Node, 'id' | 'parentId'>;

export function nodeOf(definition: Definition, id: string | undefined): Node | undefined {
  return id === undefined ? undefined : definition.nodes.find((node) => node.id === id);
}

/** An id that no node has: `set`, `set2`, … */
export function freeId(definition: Definition, wish: string): string {
  const base =
    wish
      .replace(/[^A-Za-z0-9_]+/g, '_')
      .replace(/^_+|_+$/g, '')
      .slice(0, 48) || 'step';
  const taken = new Set([TRIGGER_ID, ...definition.nodes.map(({ id }) => id)]);
  for (let count = 1; ; count += 1) {
    const id = count === 1 ? base : `${base}${count}`;
    if (!taken.has(id)) return id;
  }
}

export function edgeOf(source: string, target: string, handle: string | undefined): Edge {
  const id = `${source}${handle === undefined ? '' : `.${handle}`}>${target}`;
  return { id, source, target, ...(handle === undefined ? {} : { sourceHandle: handle }) };
}

/** The ways out of a node, or of the trigger. */
export function waysOut(definition: Definition, id: string): (string | undefined)[] {
  if (id === TRIGGER_ID) return [undefined];
  const node = nodeOf(definition, id);
  return node === undefined ? [] : handlesOf(node);
}

/** Nodes at the top that start with the execution: no edge leads to them, or one from the trigger. */
export function firstNodes({ nodes, edges }: Definition): string[] {
  const led = new Set(edges.filter(({ source }) => source !== TRIGGER_ID).map(({ target }) => target));
  return nodes.filter(({ id, parentId }) => parentId === undefined && !led.has(id)).map(({ id }) => id);
}

/**
 * Adds a node. Behind a node it takes a way out that leads nowhere yet; where all lead somewhere, it stands between the node
 * and what came next.
 */
export function withNode(
  definition: Definition,
  fresh: NewNode,
  wish: string,
  spot: Spot,
): { definition: Definition; id: string } {
  const id = freeId(definition, wish);
  if ('inside' in spot) {
    const node = { ...fresh, id, parentId: spot.inside } as Node;
    return { definition: { ...definition, nodes: [...definition.nodes, node] }, id };
  }
  const { after } = spot;
  const parentId = nodeOf(definition, after)?.parentId;
  const node = { ...fresh, id, ...(parentId === undefined ? {} : { parentId }) } as Node;
  const [onwards] = handlesOf(node);
  const canGoOn = handlesOf(node).length > 0;
  const nodes = [...definition.nodes, node];
  if (after === TRIGGER_ID) {
    const next = canGoOn ? firstNodes(definition).map((first) => edgeOf(id, first, onwards)) : [];
    const kept = definition.edges.filter(({ source, target }) => source !== TRIGGER_ID || target === id);
    return { definition: { ...definition, nodes, edges: [...kept, ...next] }, id };
  }
  const ways = waysOut(definition, after);
  const used = (handle: string | undefined) =>
    definition.edges.filter(({ source, sourceHandle }) => source === after && sourceHandle === handle);
  const free = ways.find((handle) => handle !== 'error' && handle !== 'expired' && used(handle).length === 0);
  const isFree = ways.some((handle) => handle !== 'error' && handle !== 'expired' && used(handle).length === 0);
  if (ways.length === 0) return { definition: { ...definition, nodes }, id };
  if (isFree)
    return { definition: { ...definition, nodes, edges: [...definition.edges, edgeOf(after, id, free)] }, id };
  const moved = used(ways[0]);
  const edges = [
    ...definition.edges.filter((edge) => !moved.includes(edge)),
    edgeOf(after, id, ways[0]),
    ...(canGoOn ? moved.map(({ target }) => edgeOf(id, target, onwards)) : []),
  ];
  return { definition: { ...definition, nodes, edges }, id };
}

/** Adds a node between the ends of an edge; undefined where none can follow the node, or the edge is gone. */
export function withNodeOnEdge(
  definition: Definition,
  fresh: NewNode,
  wish: string,
  edge: Pick<Edge, 'source' | 'target' | 'sourceHandle'>,
): { definition: Definition; id: string } | undefined {
  const { source, target, sourceHandle } = edge;
  const next = nodeOf(definition, target);
  const id = freeId(definition, wish);
  const node = { ...fresh, id, ...(next?.parentId === undefined ? {} : { parentId: next.parentId }) } as Node;
  const [onwards] = handlesOf(node);
  if (next === undefined || handlesOf(node).length === 0) return undefined;
  const isIt = (one: Edge) => one.source === source && one.target === target && one.sourceHandle === sourceHandle;
  // What nothing leads to starts with the trigger, whether an edge says so or not.
  const first = source === TRIGGER_ID ? [] : [edgeOf(source, id, sourceHandle)];
  const edges = [...definition.edges.filter((one) => !isIt(one)), ...first, edgeOf(id, target, onwards)];
  return { definition: { ...definition, nodes: [...definition.nodes, node], edges }, id };
}

/** Why no edge may lead from the one to the other; undefined where it may. */
export type NoEdge = 'same' | 'scope' | 'circle' | 'there' | 'end';

export function edgeProblem(
  definition: Definition,
  source: string,
  target: string,
  handle: string | undefined,
): NoEdge | undefined {
  if (source === target || target === TRIGGER_ID) return 'same';
  const scope = source === TRIGGER_ID ? undefined : nodeOf(definition, source)?.parentId;
  if (scope !== nodeOf(definition, target)?.parentId) return 'scope';
  if (!waysOut(definition, source).includes(handle)) return 'end';
  const { edges } = definition;
  if (edges.some((one) => one.source === source && one.target === target && one.sourceHandle === handle))
    return 'there';
  const ids = definition.nodes.map(({ id }) => id);
  return findCycle(ids, [...edges, { source, target }]) === undefined ? undefined : 'circle';
}

export function withEdge(
  definition: Definition,
  source: string,
  target: string,
  handle: string | undefined,
): Definition {
  if (edgeProblem(definition, source, target, handle) !== undefined) return definition;
  return { ...definition, edges: [...definition.edges, edgeOf(source, target, handle)] };
}

export function withoutEdges(definition: Definition, ids: readonly string[]): Definition {
  return { ...definition, edges: definition.edges.filter(({ id }) => !ids.includes(id)) };
}

/** The nodes and all that stands in them. */
export function withInner({ nodes }: Definition, ids: readonly string[]): Set<string> {
  const all = new Set(ids);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const { id, parentId } of nodes) if (parentId !== undefined && all.has(parentId)) all.add(id);
  }
  return all;
}

/** Without the nodes and all that stands in them. What led to one of them leads to what came behind it. */
export function withoutNodes(definition: Definition, ids: readonly string[]): Definition {
  const gone = withInner(definition, ids);
  let { edges } = definition;
  for (const id of ids) {
    const coming = edges.filter(({ target }) => target === id);
    const leaving = edges.filter(({ source, sourceHandle }) => source === id && sourceHandle !== 'error');
    const bridges = coming.flatMap(({ source, sourceHandle }) =>
      leaving.map(({ target }) => edgeOf(source, target, sourceHandle)),
    );
    const rest = edges.filter(({ source, target }) => source !== id && target !== id);
    const known = new Set(rest.map(({ id: edgeId }) => edgeId));
    edges = [...rest, ...bridges.filter((bridge) => !known.has(bridge.id))];
  }
  return {
    ...definition,
    nodes: definition.nodes.filter(({ id }) => !gone.has(id)),
    edges: edges.filter(({ source, target }) => !gone.has(source) && !gone.has(target)),
  };
}

/** The first of these nodes whose removal joins several ways: what followed by one of them alone then always does. */
export function joiningNode({ nodes, edges }: Definition, ids: readonly string[]): Node | undefined {
  return nodes.find(({ id }) => {
    const ways = edges.filter(({ source, sourceHandle }) => source === id && sourceHandle !== 'error');
    const isLedTo = edges.some(({ target }) => target === id);
    return ids.includes(id) && isLedTo && new Set(ways.map(({ sourceHandle }) => sourceHandle)).size > 1;
  });
}

/** With another node in its place. Edges follow a case that was renamed; those by ways that it no longer has go. */
export function withChangedNode(definition: Definition, id: string, node: Node): Definition {
  const ways = handlesOf(node);
  const renamed = renamedCase(nodeOf(definition, id), node);
  return {
    ...definition,
    nodes: definition.nodes.map((one) => (one.id === id ? node : one)),
    edges: definition.edges.flatMap((edge) => {
      if (edge.source !== id) return [edge];
      if (renamed !== undefined && edge.sourceHandle === renamed.from) return [edgeOf(id, edge.target, renamed.to)];
      return ways.includes(edge.sourceHandle) ? [edge] : [];
    }),
  };
}

/** The one case of a switch that has another name now. */
function renamedCase(before: Node | undefined, node: Node): { from: string; to: string } | undefined {
  if (before?.type !== 'switch' || node.type !== 'switch') return undefined;
  const [was, is] = [caseNames(before), caseNames(node)];
  const others = was.flatMap((name, index) => (name === is[index] ? [] : [{ from: name, to: is[index] as string }]));
  return was.length === is.length && others.length === 1 ? others[0] : undefined;
}

/** In the order in which people walk them: each behind all that lead to it, what stands in a loop behind the loop. */
export function walkingOrder({ nodes, edges }: Definition): string[] {
  const order = topologicalOrder(
    nodes.map(({ id }) => id),
    edges,
  );
  const ordered = new Set(order);
  const all = [...order, ...nodes.map(({ id }) => id).filter((id) => !ordered.has(id))];
  const parents = new Map(nodes.map(({ id, parentId }) => [id, parentId]));
  const inside = (parentId: string | undefined): string[] =>
    all.filter((id) => parents.get(id) === parentId).flatMap((id) => [id, ...inside(id)]);
  const walked = inside(undefined);
  // A definition in the making: a parent that is not there, or a circle of them.
  const seen = new Set(walked);
  return [...walked, ...all.filter((id) => !seen.has(id))];
}

/** Where a node goes that is added while these are chosen. */
export function spotOf(definition: Definition, chosen: string | undefined): Spot {
  const node = nodeOf(definition, chosen);
  if (node !== undefined && isLoop(node.type) && !definition.nodes.some(({ parentId }) => parentId === node.id)) {
    return { inside: node.id };
  }
  if (chosen === TRIGGER_ID || node !== undefined) return { after: chosen as string };
  const tops = new Set(definition.nodes.filter(({ parentId }) => parentId === undefined).map(({ id }) => id));
  const last = walkingOrder(definition)
    .filter((id) => tops.has(id) && waysOut(definition, id).length > 0)
    .at(-1);
  return { after: last ?? TRIGGER_ID };
}
