import type { Json } from '../json.ts';

/** The values of the names in an expression. Read only: results may share parts of it. */
export interface Scope {
  trigger: Json;
  /** By node id; steps that have not run are absent. */
  steps: Record<string, { output: Json; error?: { code: string; message: string } }>;
  variables: Record<string, Json>;
  execution: { id: string; number: number; startedAt: string; workflowId: string; workflowName: string };
  /** Inside loops only. */
  loop?: LoopScope;
  /** Inside loops only: the loops around, by node id. */
  loops?: Record<string, LoopScope>;
}

/** One iteration of a loop. `item` of forEach alone; `total` where it is known beforehand. */
export interface LoopScope {
  item?: Json;
  index: number;
  total?: number;
}

export const ROOT_NAMES = ['trigger', 'steps', 'variables', 'execution', 'loop', 'loops'] as const;
export const EXECUTION_KEYS = ['id', 'number', 'startedAt', 'workflowId', 'workflowName'] as const;
export const STEP_KEYS = ['output', 'error'] as const;
export const LOOP_KEYS = ['item', 'index', 'total'] as const;
