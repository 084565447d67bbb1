export const NODE_WIDTH = 200;
export const NODE_HEIGHT = 56;
export const GAP = 24;
/** Name and state of a loop stand above what is in it. */
export const HEAD = 72;

/** So much is between two ways out, whose names stand beside them. */
const WAY_HEIGHT = 16;

/** The height of a node that is no loop: its ways out stand at equal distances. */
export function nodeHeight({ ways = 1 }: LaidNode): number {
  return Math.max(NODE_HEIGHT, (ways + 1) * WAY_HEIGHT);
}

export interface LaidNode {
  id: string;
  parentId?: string | undefined;
  /** Where people placed it, relative to its loop. */
  position?: Point | undefined;
  /** How many ways out stand at its side, each with its name; one where absent. */
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
  /** Of each edge that passes nodes between its ends, relative to the loop that it is in. Empty where people placed the nodes. */
  ways: Map<string, Point[]>;
}

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}
