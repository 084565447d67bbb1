import type { Edge, FitViewOptions, Node, ReactFlowInstance } from '@xyflow/react';

/** At this zoom, names are at least 10 px high. */
const LEGIBLE = 0.75;

/** Shows the whole graph, or only its start at this node if the whole would be illegible. */
export async function beginLegibly<OfNode extends Node>(
  flow: ReactFlowInstance<OfNode, Edge>,
  whole: FitViewOptions<OfNode>,
  first: string,
  legible = LEGIBLE,
): Promise<void> {
  // `fitView` waits until the nodes are measured; React Flow can be ready before.
  await flow.fitView(whole);
  if (flow.getZoom() < legible) await flow.fitView({ nodes: [{ id: first }], minZoom: LEGIBLE, maxZoom: LEGIBLE });
}
