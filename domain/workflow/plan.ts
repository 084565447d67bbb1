import type { NodeType, OnError, RetryPolicy } from './definition.ts';

/**
 * What the engine interprets: a definition without its inputs, so that neither a secret nor a payload
 * enters a Temporal history. Made by compile.ts; the argument of every runExecution.
 */
export interface Plan {
  /** In topological order. */
  nodes: PlanNode[];
  edges: PlanEdge[];
}

export interface PlanNode {
  id: string;
  type: NodeType;
  /** What people see: in executionPath, and as summary in the Temporal UI. */
  label: string;
  /** remote: an activity of its own; inline: part of a region; input: waits for a person. */
  placement: 'inline' | 'remote';
  /** Absent: fail. */
  onError?: Exclude<OnError, 'fail'>;
  retry?: RetryPolicy;
  /** Per attempt, milliseconds. */
  timeoutMs?: number;
  /** Of an action: it is a workflow of its own, which this one starts and waits for. */
  child?: true;
  /** The loop around it; absent at the top. */
  parentId?: string;
  /**
   * Of a loop: who runs its iterations. A region does where nothing in them waits or leaves the process: hundreds of
   * them cost one activity. Otherwise the workflow does, each as a scope of its own.
   */
  iterate?: 'inRegion' | 'inWorkflow';
  /** Of a repeat with `while` or `until`: it is asked before each iteration whether to go on. */
  asks?: true;
}

export interface PlanEdge {
  /** A node's id, or `trigger`. */
  from: string;
  to: string;
  /** Absent: the plain way out. */
  handle?: string;
}
