import type { Plan, PlanEdge, PlanNode } from './plan.ts';

interface PlanIndex {
  nodes: Map<string, PlanNode>;
  incoming: Map<string, PlanEdge[]>;
  outgoing: Map<string, PlanEdge[]>;
}

const indexes = new WeakMap<Plan, PlanIndex>();

export function planIndex(plan: Plan): PlanIndex {
  const known = indexes.get(plan);
  if (known) return known;
  const index: PlanIndex = { nodes: new Map(), incoming: new Map(), outgoing: new Map() };
  for (const node of plan.nodes) {
    index.nodes.set(node.id, node);
    index.incoming.set(node.id, []);
    index.outgoing.set(node.id, []);
  }
  for (const edge of plan.edges) {
    index.incoming.get(edge.to)?.push(edge);
    index.outgoing.get(edge.from)?.push(edge);
  }
  indexes.set(plan, index);
  return index;
}

export function planNode(plan: Plan, nodeId: string): PlanNode {
  const node = planIndex(plan).nodes.get(nodeId);
  if (!node) throw new Error(`The plan has no node ${nodeId}`);
  return node;
}

export function hasEdge(plan: Plan, nodeId: string, handle: string): boolean {
  return (planIndex(plan).outgoing.get(nodeId) ?? []).some((edge) => edge.handle === handle);
}

export function successors(plan: Plan, nodeId: string): string[] {
  return (planIndex(plan).outgoing.get(nodeId) ?? []).map((edge) => edge.to);
}
