import type { NodeType, OnError, RetryPolicy } from './definition.ts';

/**
 * A definition without its inputs, for the interpreter: neither a secret nor a payload enters a Temporal history. Built
 * by compile.ts; the argument of every runExecution.
 */
export interface Plan {
  /** In topological order. */
  nodes: PlanNode[];
  edges: PlanEdge[];
}

export interface PlanNode {
  id: string;
  type: NodeType;
  /** The name for people: in executionPath, and as summary in the Temporal UI. */
  label: string;
  /** remote: an activity of its own; inline: part of a region; input: waits for a person. */
  placement: 'inline' | 'remote';
  /** Absent: fail. */
  onError?: Exclude<OnError, 'fail'>;
  retry?: RetryPolicy;
  /** Per attempt, milliseconds. */
  timeoutMs?: number;
  /** For an action that runs as a child workflow. */
  child?: true;
  /** The loop around it; absent at the top. */
  parentId?: string;
  /**
   * For a loop: the runner of its iterations. A region runs them if no node inside waits or leaves the process:
   * hundreds of iterations cost one activity. Otherwise the workflow runs each as a scope of its own.
   */
  iterate?: 'inRegion' | 'inWorkflow';
  /** For a repeat with `while` or `until`: its condition is evaluated before each iteration. */
  asks?: true;
}

export interface PlanEdge {
  /** A node's id, or `trigger`. */
  from: string;
  to: string;
  /** Absent: the plain way out. */
  handle?: string;
}
