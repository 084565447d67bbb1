export type NodeProgress =
  /** Running, or waiting for a retry or for input. */
  | { status: 'OPEN' }
  /** `handle` is the exit taken; absent for the default exit. */
  | { status: 'COMPLETED' | 'FAILED'; handle?: string }
  | { status: 'SKIPPED' };

/** How far an execution is: the state that the reducer (reducer.ts) folds outcomes into. */
export interface Progress {
  /** Nodes that are decided or have begun; the others are pending. */
  readonly nodes: Readonly<Record<string, NodeProgress>>;
  /** Set once, by an unhandled failure or a stop node. */
  readonly ended?: Ended;
}

/** The end of the execution before its last node. The node's row contains the message and the output. */
export type Ended = {
  status: 'FAILED' | 'COMPLETED';
  nodeId: string;
  stop: boolean;
  /** The scope of a stop node inside a loop. */
  iteration?: string;
};

/** How an execution ends: by `ended`, or because nothing remains to do. */
export type Ending = Ended | { status: 'COMPLETED'; endNodes: string[] };

export const NOTHING_DONE: Progress = { nodes: {} };
