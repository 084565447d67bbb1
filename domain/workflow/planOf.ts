import { type ActionManifest, type Catalogue, findAction } from '../app/manifest.ts';
import type { Json } from '../json.ts';
import { type Definition, isLoop, type Node, type NodeType, TRIGGER_ID } from './definition.ts';
import { topologicalOrder } from './graph.ts';
import { placementOf } from './placement.ts';
import type { Plan, PlanEdge, PlanNode } from './plan.ts';

export interface PlannedDefinition {
  plan: Plan;
  nodes: ReadonlyMap<string, { node: Node }>;
}

type Graph = Pick<Definition, 'nodes' | 'edges'>;

/** An action that is missing from the catalogue is remote, and its label is the node's id. */
export function planOf({ nodes, edges }: Graph, catalogue: Catalogue): Plan {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const order = topologicalOrder(
    nodes.map(({ id }) => id),
    edges,
  );
  return {
    nodes: order.map((id) => planNode(byId.get(id) as Node, nodes, catalogue)),
    edges: planEdges({ nodes, edges }),
  };
}

/** For comparisons, which do not depend on placements. */
export function plannedDefinition(graph: Graph): PlannedDefinition {
  return { plan: planOf(graph, new Map()), nodes: new Map(graph.nodes.map((node) => [node.id, { node }])) };
}

function actionOf({ appId, actionId }: Node, catalogue: Catalogue): ActionManifest | undefined {
  return appId === undefined || actionId === undefined ? undefined : findAction(catalogue, appId, actionId);
}

/** Must not include inputs, because the plan is in the Temporal history. */
function planNode(node: Node, all: readonly Node[], catalogue: Catalogue): PlanNode {
  const action = actionOf(node, catalogue);
  const timeoutMs = node.timeoutMs ?? action?.timeoutMs;
  return {
    id: node.id,
    type: node.type,
    label: node.name ?? action?.name ?? node.id,
    placement: placementOf(node, action),
    ...(node.onError === undefined || node.onError === 'fail' ? {} : { onError: node.onError }),
    ...(node.retry === undefined ? {} : { retry: node.retry }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(action?.placement === 'child' || action?.placement === 'worker' ? { child: true } : {}),
    ...(node.parentId === undefined ? {} : { parentId: node.parentId }),
    ...(isLoop(node.type) ? { iterate: runsInRegion(node, all, catalogue) ? 'inRegion' : 'inWorkflow' } : {}),
    ...(asks(node) ? { asks: true } : {}),
  };
}

function asks({ type, inputs = {} }: Node): boolean {
  const isGiven = (value: Json | undefined) => value !== undefined && value !== null;
  return type === 'repeat' && (isGiven(inputs.while) || isGiven(inputs.until));
}

const WAITING_TYPES: ReadonlySet<NodeType> = new Set(['input', 'delay', 'runWorkflow', 'forEach', 'repeat']);

/** Returns true if no node inside waits, loops or leaves the process. */
function runsInRegion(loop: Node, all: readonly Node[], catalogue: Catalogue): boolean {
  const { pauseMs } = loop.inputs ?? {};
  if (pauseMs !== undefined && pauseMs !== null && pauseMs !== 0) return false;
  return all
    .filter(({ parentId }) => parentId === loop.id)
    .every(
      (node) =>
        !WAITING_TYPES.has(node.type) &&
        node.retry === undefined &&
        (node.type !== 'action' || actionOf(node, catalogue)?.placement === 'inline'),
    );
}

/** Returns the edges, plus one from the trigger to each node without incoming edges. */
function planEdges({ nodes, edges }: Graph): PlanEdge[] {
  const entered = new Set(edges.map(({ target }) => target));
  const first = nodes.filter(({ id, parentId }) => !entered.has(id) && parentId === undefined);
  return [
    ...first.map(({ id }) => ({ from: TRIGGER_ID, to: id })),
    ...edges.map(({ source, target, sourceHandle }) => ({
      from: source,
      to: target,
      ...(sourceHandle === undefined ? {} : { handle: sourceHandle }),
    })),
  ];
}
