import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  type FitViewOptions,
  type Node,
  type ReactFlowInstance,
} from '@xyflow/react';
import type { Point } from './graphShape.ts';

export interface Way extends Record<string, unknown> {
  /** Absolute points that lead around the nodes between the ends. */
  points: Point[];
}

/** Behind the middle, because edges of one node are close together at their start. */
const LABEL_AT = 0.55;

export function WayEdge({ id, sourceX, sourceY, targetX, targetY, data, label, style }: EdgeProps<Edge<Way>>) {
  // The first and last points are on the borders of the nodes, like the handles.
  const inner = data?.points.slice(1, -1) ?? [];
  const ends = [{ x: sourceX, y: sourceY }, ...inner, { x: targetX, y: targetY }];
  const at = pointAlong(ends, LABEL_AT);
  return (
    <BaseEdge
      id={id}
      path={roundedPath(ends)}
      style={style}
      label={label}
      labelX={at.x}
      labelY={at.y}
      labelBgPadding={[3, 1]}
    />
  );
}

function pointAlong(points: readonly Point[], share: number): Point {
  const lengths = points.slice(1).map(({ x, y }, at) => Math.hypot(x - (points[at]?.x ?? x), y - (points[at]?.y ?? y)));
  let left = share * lengths.reduce((sum, length) => sum + length, 0);
  for (const [at, length] of lengths.entries()) {
    const from = points[at];
    const to = points[at + 1];
    if (from === undefined || to === undefined) break;
    if (left <= length && length > 0) {
      const part = left / length;
      return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    }
    left -= length;
  }
  return points.at(-1) ?? { x: 0, y: 0 };
}

/** Curves through the midpoints between the points, with each point as a control point. */
function roundedPath([first, ...rest]: Point[]): string {
  if (first === undefined) return '';
  let path = `M ${first.x},${first.y}`;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    path +=
      next === undefined
        ? ` L ${point.x},${point.y}`
        : ` Q ${point.x},${point.y} ${(point.x + next.x) / 2},${(point.y + next.y) / 2}`;
  });
  return path;
}

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
