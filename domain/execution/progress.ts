export type NodeProgress =
  /** Begun: running, waiting for a retry or for input. */
  | { status: 'OPEN' }
  /** Left by a handle; without one by the plain way out. */
  | { status: 'COMPLETED' | 'FAILED'; handle?: string }
  | { status: 'SKIPPED' };

/** How far an execution is: what the reducer (reducer.ts) folds outcomes into. */
export interface Progress {
  /** Nodes that have been decided or begun; the others are still to come. */
  readonly nodes: Readonly<Record<string, NodeProgress>>;
  /** Set once by a failure that nothing catches, or by a stop node. */
  readonly ended?: Ended;
}

/** The end of the execution before its last node. The row of the node holds the message and the output. */
export type Ended = {
  status: 'FAILED' | 'COMPLETED';
  nodeId: string;
  stop: boolean;
  /** For a stop node inside a loop: its scope. */
  iteration?: string;
};

/** How an execution ends: by `ended`, or because nothing is left to do. */
export type Ending = Ended | { status: 'COMPLETED'; endNodes: string[] };

export const NOTHING_DONE: Progress = { nodes: {} };
