import type { ActionManifest } from '../app/manifest.ts';
import type { Node } from './definition.ts';
import type { PlanNode } from './plan.ts';

export function placementOf(node: Node, action: ActionManifest | undefined): PlanNode['placement'] {
  if (node.type !== 'action') return 'inline';
  const placement = action?.placement ?? 'remote';
  if (placement === 'child' || placement === 'worker') return 'inline';
  if (typeof placement === 'string') return placement;
  // Regions open no connections.
  if (node.connectionId !== undefined) return 'remote';
  const limit = timeLimit(node, action);
  return limit !== undefined && limit <= placement.inlineUpToMs ? 'inline' : 'remote';
}

/** Returns the lowest known limit: that of the node or of its own input `timeoutMs`. */
function timeLimit(node: Node, action: ActionManifest | undefined): number | undefined {
  const field = action?.inputConfig.fields.find(({ key }) => key === 'timeoutMs');
  const given = field && (node.inputs?.timeoutMs ?? field.default);
  const limits = [node.timeoutMs, given].filter((limit) => typeof limit === 'number');
  return limits.length === 0 ? undefined : Math.min(...limits);
}
