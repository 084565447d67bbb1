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
