import type { Edge, FitViewOptions, Node, ReactFlowInstance } from '@xyflow/react';

/** Names are at least 10 px high. */
const LEGIBLE = 0.75;

/** Shows the whole graph, or, where it would be too small to be read, its beginning at this node. */
export async function beginLegibly<OfNode extends Node>(
  flow: ReactFlowInstance<OfNode, Edge>,
  whole: FitViewOptions<OfNode>,
  first: string,
  legible = LEGIBLE,
): Promise<void> {
  // The graph is measured when this is done, which it need not be when React Flow is ready.
  await flow.fitView(whole);
  if (flow.getZoom() < legible) await flow.fitView({ nodes: [{ id: first }], minZoom: LEGIBLE, maxZoom: LEGIBLE });
}
