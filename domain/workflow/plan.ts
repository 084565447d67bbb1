import type { NodeType, OnError, RetryPolicy } from './definition.ts';

/**
 * A definition without its inputs, for the interpreter: no secret and no payload enters a Temporal history. Built by
 * compile.ts; the argument of every runExecution.
 */
export interface Plan {
  /** In topological order. */
  nodes: PlanNode[];
  edges: PlanEdge[];
}

export interface PlanNode {
  id: string;
  type: NodeType;
  /** The readable name, in executionPath and as the summary in the Temporal UI. */
  label: string;
  /** remote: its own activity. inline: part of a region. */
  placement: 'inline' | 'remote';
  /** Default: fail. */
  onError?: Exclude<OnError, 'fail'>;
  retry?: RetryPolicy;
  timeoutMs?: number;
  /** For an action that a region only begins: an agent's turn, or work on a customer's worker. */
  child?: true;
  parentId?: string;
  /**
   * The iterations of a loop run in a region if no node inside waits or leaves the process, so that hundreds
   * cost one activity; otherwise each is a scope of the workflow.
   */
  iterate?: 'inRegion' | 'inWorkflow';
  /** For a repeat with `while` or `until`, whose condition is evaluated before each iteration. */
  asks?: true;
}

export interface PlanEdge {
  /** A node's id, or `trigger`. */
  from: string;
  to: string;
  /** Absent: the default handle. */
  handle?: string;
}
