import type { Json } from '../json.ts';

/** Read-only, because results may share parts of it. */
export interface Scope {
  trigger: Json;
  /** By node id, without steps that have not run. */
  steps: Record<string, StepScope>;
  variables: Record<string, Json>;
  execution: { id: string; number: number; startedAt: string; workflowId: string; workflowName: string };
  loop?: LoopScope;
  /** Not readable by expressions: texts of the secret variables, which must be masked in results. */
  secrets?: readonly string[];
  /** Only inside loops: the enclosing loops by node id. */
  loops?: Record<string, LoopScope>;
  /** ISO 8601: when the step began. Present only if an expression reads it (atTime). */
  now?: string;
}

/** An ended step, or a question that has only its link yet. */
export interface StepScope {
  output?: Json;
  /** For loops, `cause` is the innermost failed step. */
  error?: { code: string; message: string; cause?: { nodeId: string; code: string } };
  /** For a question whose link an expression reads: the address to which the answer is sent. */
  link?: string;
}

/** One iteration of a loop. Only forEach has `item`; `total` is absent if it is not known in advance. */
export interface LoopScope {
  item?: Json;
  index: number;
  total?: number;
}

export const ROOT_NAMES = ['trigger', 'steps', 'variables', 'execution', 'loop', 'loops', 'now'] as const;
export const EXECUTION_KEYS = ['id', 'number', 'startedAt', 'workflowId', 'workflowName'] as const;
export const STEP_KEYS = ['output', 'error', 'link'] as const;
export const LOOP_KEYS = ['item', 'index', 'total'] as const;
