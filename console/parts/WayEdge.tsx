import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';
import type { Point } from './graphLayout.ts';

export interface Way extends Record<string, unknown> {
  /** Absolute points, around the nodes between its ends. */
  points: Point[];
}

/** An edge along its way, with rounded turns. */
export function WayEdge({ id, sourceX, sourceY, targetX, targetY, data, label, style }: EdgeProps<Edge<Way>>) {
  // The outer points lie on the borders of the nodes, where the handles are.
  const inner = data?.points.slice(1, -1) ?? [];
  const ends = [{ x: sourceX, y: sourceY }, ...inner, { x: targetX, y: targetY }];
  const middle = ends[1] ?? { x: targetX, y: targetY };
  const at = { x: (sourceX + middle.x) / 2, y: (sourceY + middle.y) / 2 };
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

/** Through the middles between the points, each point pulling at its turn. */
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
