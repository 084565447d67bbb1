export const NODE_WIDTH = 200;
export const NODE_HEIGHT = 56;
export const GAP = 24;
/** The name and state of a loop are above its content. */
export const HEAD = 72;

/** The distance between two outgoing handles, which have their names next to them. */
const WAY_HEIGHT = 16;

/** The height of a node that is not a loop: its outgoing handles have equal distances. */
export function nodeHeight({ ways = 1 }: LaidNode): number {
  return Math.max(NODE_HEIGHT, (ways + 1) * WAY_HEIGHT);
}

export interface LaidNode {
  id: string;
  parentId?: string | undefined;
  /** The position from the editor, relative to its loop. */
  position?: Point | undefined;
  /** The number of outgoing handles with names; default: one. */
  ways?: number | undefined;
}

export interface LaidEdge {
  id: string;
  source: string;
  target: string;
}

export interface Point {
  x: number;
  y: number;
}

export interface Layout {
  places: Map<string, Place>;
  /** Points of edges that pass nodes between their ends, relative to their loop. Empty if people placed the nodes. */
  ways: Map<string, Point[]>;
}

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Whether people have placed all nodes; otherwise they are laid out automatically. */
export function isPlaced(nodes: readonly LaidNode[]): boolean {
  return nodes.length > 0 && nodes.every(({ position }) => position !== undefined);
}

/** Returns position and size of placed nodes: a loop surrounds its content, and the trigger precedes all. */
export function placedNodes(nodes: readonly LaidNode[], triggerId: string, isVertical: boolean): Map<string, Place> {
  const places = new Map<string, Place>();
  const inside = (parentId: string | undefined) => nodes.filter((node) => node.parentId === parentId);
  const sizeOf = (node: LaidNode, depth: number): { width: number; height: number } => {
    const inner = depth > nodes.length ? [] : inside(node.id);
    let [width, height] = [NODE_WIDTH, inner.length > 0 ? HEAD + NODE_HEIGHT : nodeHeight(node)];
    for (const one of inner) {
      const size = sizeOf(one, depth + 1);
      width = Math.max(width, (one.position?.x ?? 0) + size.width + GAP);
      height = Math.max(height, (one.position?.y ?? 0) + size.height + GAP);
    }
    places.set(node.id, { x: node.position?.x ?? 0, y: node.position?.y ?? 0, width, height });
    return { width, height };
  };
  const tops = inside(undefined);
  for (const node of tops) sizeOf(node, 0);
  const left = Math.min(...tops.map(({ position }) => position?.x ?? 0));
  const top = Math.min(...tops.map(({ position }) => position?.y ?? 0));
  const trigger = isVertical ? { x: left, y: top - NODE_HEIGHT - 2 * GAP } : { x: left - NODE_WIDTH - 2 * GAP, y: top };
  places.set(triggerId, { ...trigger, width: NODE_WIDTH, height: NODE_HEIGHT });
  return places;
}
