import type { Json } from '../json.ts';

/** The values of the names in an expression. Read only: results may share parts of it. */
export interface Scope {
  trigger: Json;
  /** By node id; steps that have not run are absent. */
  steps: Record<string, StepScope>;
  variables: Record<string, Json>;
  execution: { id: string; number: number; startedAt: string; workflowId: string; workflowName: string };
  /** Inside loops only. */
  loop?: LoopScope;
  /** Texts of secret variables among them: no names of expressions, but what nobody may read in what comes of them. */
  secrets?: readonly string[];
  /** Inside loops only: the loops around, by node id. */
  loops?: Record<string, LoopScope>;
  /** ISO 8601. The time at which the step began; where an expression names it alone (atTime). */
  now?: string;
}

/** A step that has ended, or a question that has a link alone. */
export interface StepScope {
  output?: Json;
  /** `cause` of a loop: the innermost step that failed. */
  error?: { code: string; message: string; cause?: { nodeId: string; code: string } };
  /** Of a question whose link an expression names: the address to which its answer is sent. */
  link?: string;
}

/** One iteration of a loop. `item` of forEach alone; `total` where it is known beforehand. */
export interface LoopScope {
  item?: Json;
  index: number;
  total?: number;
}

export const ROOT_NAMES = ['trigger', 'steps', 'variables', 'execution', 'loop', 'loops', 'now'] as const;
export const EXECUTION_KEYS = ['id', 'number', 'startedAt', 'workflowId', 'workflowName'] as const;
export const STEP_KEYS = ['output', 'error', 'link'] as const;
export const LOOP_KEYS = ['item', 'index', 'total'] as const;
