import { type Definition, type Edge, isLoop, type Node, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { edgeOf, nodeOf, walkingOrder, waysOut } from './graphChanges.ts';

/** The spot for a new node: after another node or the trigger, optionally by a certain way, or first in a loop. */
export type Spot = { after: string; way?: string } | { inside: string };

export type NewNode = Omit<Node, 'id' | 'parentId'>;

interface Added {
  definition: Definition;
  id: string;
}

/** Returns an unused id: `set`, `set2`, … */
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

/** Returns the top-level nodes that start with the execution: no edge leads to them, or one from the trigger. */
export function firstNodes({ nodes, edges }: Definition): string[] {
  const led = new Set(edges.filter(({ source }) => source !== TRIGGER_ID).map(({ target }) => target));
  return nodes.filter(({ id, parentId }) => parentId === undefined && !led.has(id)).map(({ id }) => id);
}

/** Ways for failures and timeouts, which are never chosen by default. */
const ASIDE: ReadonlySet<string | undefined> = new Set(['error', 'expired']);

/** Adds a node, by the requested way, the first free one, or else between the node and its successors. */
export function withNode(definition: Definition, fresh: NewNode, wish: string, spot: Spot): Added {
  if ('inside' in spot) return placed(definition, fresh, wish, spot.inside);
  const { after, way } = spot;
  const added = placed(definition, fresh, wish, nodeOf(definition, after)?.parentId);
  const { id } = added;
  const ways = waysOut(definition, after);
  if (ways.length === 0) return added;
  const edges = after === TRIGGER_ID ? beforeAll(definition, added) : behind(definition, added, after, ways, way);
  return { definition: { ...added.definition, edges }, id };
}

/** Adds a node between the ends of an edge; undefined if nothing can follow the node, or the edge is gone. */
export function withNodeOnEdge(
  definition: Definition,
  fresh: NewNode,
  wish: string,
  edge: Pick<Edge, 'source' | 'target' | 'sourceHandle'>,
): Added | undefined {
  const { source, target, sourceHandle } = edge;
  const next = nodeOf(definition, target);
  if (next === undefined) return undefined;
  const added = placed(definition, fresh, wish, next.parentId);
  const { id } = added;
  const onwards = onwardsOf(added, [target]);
  if (onwards.length === 0) return undefined;
  const isIt = (one: Edge) => one.source === source && one.target === target && one.sourceHandle === sourceHandle;
  // A node without an incoming edge starts with the trigger, so no edge from the trigger is needed.
  const first = source === TRIGGER_ID ? [] : [edgeOf(source, id, sourceHandle)];
  const edges = [...definition.edges.filter((one) => !isIt(one)), ...first, ...onwards];
  return { definition: { ...added.definition, edges }, id };
}

function placed(definition: Definition, fresh: NewNode, wish: string, parentId: string | undefined): Added {
  const id = freeId(definition, wish);
  const node = { ...fresh, id, ...(parentId === undefined ? {} : { parentId }) } as Node;
  return { definition: { ...definition, nodes: [...definition.nodes, node] }, id };
}

function onwardsOf({ definition, id }: Added, targets: readonly string[]): Edge[] {
  const ways = waysOut(definition, id);
  return ways.length === 0 ? [] : targets.map((target) => edgeOf(id, target, ways[0]));
}

function beforeAll(definition: Definition, added: Added): Edge[] {
  const kept = definition.edges.filter(({ source }) => source !== TRIGGER_ID);
  return [...kept, ...onwardsOf(added, firstNodes(definition))];
}

function behind(
  { edges }: Definition,
  added: Added,
  after: string,
  ways: readonly (string | undefined)[],
  wanted: string | undefined,
): Edge[] {
  const taken = (way: string | undefined) =>
    edges.filter(({ source, sourceHandle }) => source === after && sourceHandle === way);
  const free = ways.filter((way) => !ASIDE.has(way) && taken(way).length === 0);
  const way = wanted ?? (free.length > 0 ? free[0] : ways[0]);
  const moved = taken(way);
  return [
    ...edges.filter((edge) => !moved.includes(edge)),
    edgeOf(after, added.id, way),
    ...onwardsOf(
      added,
      moved.map(({ target }) => target),
    ),
  ];
}

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
