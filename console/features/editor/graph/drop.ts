import type { useReactFlow } from '@xyflow/react';
import type { DragEvent } from 'react';
import type { Definition } from '../../../../domain/workflow/definition.ts';
import type { Point } from '../../../ui/graph/graphShape.ts';
import type { GraphPlaces } from '../model/places.ts';

/** A drop position relative to the loop it is in, with all node positions at that time. */
export interface Drop extends Pick<GraphPlaces, 'places'> {
  /** The edge that the drop hit; the node goes between its ends. */
  on: Definition['edges'][number] | undefined;
  at: Point;
  inside: string | undefined;
}

export function dropAt(event: DragEvent, flow: ReturnType<typeof useReactFlow>, graph: GraphPlaces): Drop {
  const at = flow.screenToFlowPosition({ x: event.clientX, y: event.clientY });
  const [inner] = flow
    .getIntersectingNodes({ ...at, width: 1, height: 1 })
    .filter(({ data }) => data.isLoop === true)
    .sort((a, b) => (a.width ?? 0) - (b.width ?? 0));
  const origin =
    inner === undefined ? { x: 0, y: 0 } : (flow.getInternalNode(inner.id)?.internals.positionAbsolute ?? at);
  const on = edgeAt(event, graph.edges);
  return { at: { x: at.x - origin.x, y: at.y - origin.y }, on, inside: inner?.id, places: graph.places };
}

function edgeAt({ clientX, clientY }: DragEvent, edges: Definition['edges']): Definition['edges'][number] | undefined {
  const elements = document.elementsFromPoint(clientX, clientY);
  const id = elements
    .map((one) => one.closest('.react-flow__edge'))
    .find((one) => one !== null)
    ?.getAttribute('data-id');
  return edges.find((edge) => edge.id === id);
}
