import { withExpressions } from '../../../../domain/expression/template.ts';
import { mapTexts } from '../../../../domain/json.ts';
import { type Definition, type Edge, type Node, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { findCycle, topologicalOrder } from '../../../../domain/workflow/graph.ts';
import { caseNames, handlesOf } from '../../../../domain/workflow/handles.ts';

export function nodeOf(definition: Definition, id: string | undefined): Node | undefined {
  return id === undefined ? undefined : definition.nodes.find((node) => node.id === id);
}

export function edgeOf(source: string, target: string, handle: string | undefined): Edge {
  const id = `${source}${handle === undefined ? '' : `.${handle}`}>${target}`;
  return { id, source, target, ...(handle === undefined ? {} : { sourceHandle: handle }) };
}

export function waysOut(definition: Definition, id: string): (string | undefined)[] {
  if (id === TRIGGER_ID) return [undefined];
  const node = nodeOf(definition, id);
  return node === undefined ? [] : handlesOf(node);
}

/** Why an edge between two nodes is not allowed; undefined if it is. */
type NoEdge = 'same' | 'scope' | 'circle' | 'there' | 'end';

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

export function withInner({ nodes }: Definition, ids: readonly string[]): Set<string> {
  const all = new Set(ids);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    for (const { id, parentId } of nodes) if (parentId !== undefined && all.has(parentId)) all.add(id);
  }
  return all;
}

/** Removes the nodes and everything inside them. Edges to a removed node lead to its successors instead. */
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

/** Finds the first node whose removal merges several ways, so that what followed one of them always runs. */
export function joiningNode({ nodes, edges }: Definition, ids: readonly string[]): Node | undefined {
  return nodes.find(({ id }) => {
    const ways = edges.filter(({ source, sourceHandle }) => source === id && sourceHandle !== 'error');
    const isLedTo = edges.some(({ target }) => target === id);
    return ids.includes(id) && isLedTo && new Set(ways.map(({ sourceHandle }) => sourceHandle)).size > 1;
  });
}

/** Replaces a node. Edges follow a renamed case; edges of ways that no longer exist are removed. */
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

function renamedCase(before: Node | undefined, node: Node): { from: string; to: string } | undefined {
  if (before?.type !== 'switch' || node.type !== 'switch') return undefined;
  const [was, is] = [caseNames(before), caseNames(node)];
  const others = was.flatMap((name, index) => (name === is[index] ? [] : [{ from: name, to: is[index] as string }]));
  return was.length === is.length && others.length === 1 ? others[0] : undefined;
}

/** Sorts nodes for reading: each after its predecessors, the content of a loop after the loop. */
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
  // An unfinished definition may have missing or circular parents.
  const seen = new Set(walked);
  return [...walked, ...all.filter((id) => !seen.has(id))];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

function memberText(root: string, key: string): string {
  return NAME.test(key) ? `${root}.${key}` : `${root}[${JSON.stringify(key)}]`;
}

/** Renames a node with all references: edges, nodes inside it, and expressions. */
export function withRenamedNode(definition: Definition, from: string, to: string): Definition {
  const names = new Map([[from, to]]);
  const { trigger, nodes, edges, output, labels, notes } = definition;
  return {
    trigger,
    nodes: nodes.map((node) => ({
      ...node,
      id: node.id === from ? to : node.id,
      ...(node.parentId === from ? { parentId: to } : {}),
      ...(node.inputs === undefined ? {} : { inputs: withReferences(node.inputs, names) }),
    })),
    edges: edges.map((edge) => {
      const source = edge.source === from ? to : edge.source;
      const target = edge.target === from ? to : edge.target;
      const { sourceHandle } = edge;
      // A generated edge id contains its ends. Without a new one, a later node with the old id would create a
      // duplicate.
      const isOurs = edge.id === edgeOf(edge.source, edge.target, sourceHandle).id;
      return { ...edge, ...(isOurs ? { id: edgeOf(source, target, sourceHandle).id } : {}), source, target };
    }),
    ...(output === undefined ? {} : { output: withReferences(output, names) }),
    ...(labels === undefined ? {} : { labels }),
    ...(notes === undefined ? {} : { notes }),
  };
}

/** Matches references to nodes: `steps.ask`, `loops["a-b"]`. */
const NAMED = /\b(steps|loops)(?:\.([A-Za-z_][A-Za-z0-9_]*)|\[(["'])([^"'\]]+)\3\])/g;

/** Replaces node ids in expressions. `names`: from old to new ids. */
export function withReferences<T>(value: T, names: ReadonlyMap<string, string>): T {
  return mapTexts(value, (text) => withExpressions(text, (expression) => renamedIn(expression, names)));
}

function renamedIn(expression: string, names: ReadonlyMap<string, string>): string {
  return expression.replace(
    NAMED,
    (all, root: string, name: string | undefined, _: unknown, quoted: string | undefined) => {
      const to = names.get(name ?? quoted ?? '');
      return to === undefined ? all : memberText(root, to);
    },
  );
}

/** Returns the trigger's edges that a definition implies: to top-level nodes without an incoming edge. */
export function impliedEdges({ nodes, edges }: Definition): Definition['edges'] {
  const targets = new Set(edges.map(({ target }) => target));
  return nodes
    .filter(({ id, parentId }) => parentId === undefined && !targets.has(id))
    .map(({ id }) => ({ id: `${TRIGGER_ID}>${id}`, source: TRIGGER_ID, target: id }));
}
