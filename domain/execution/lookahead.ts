import type { Plan } from '../workflow/plan.ts';
import { planNode } from '../workflow/planIndex.ts';
import type { Outcome } from './outcome.ts';
import type { Ending, Progress } from './progress.ts';
import { apply, ending, openNodes, ready } from './reducer.ts';

/**
 * The consequences of an outcome, sent to the activity in advance. The activity writes the next steps as QUEUED, or the
 * execution's end, together with its own step. That saves a round trip through the workflow.
 */
export interface Lookahead {
  /** Remote nodes that become ready. */
  queue?: string[];
  /** Present if the outcome ends the execution and nothing else is open. */
  ending?: Ending;
}

/** Keyed by how an attempt of the node ends. */
export interface Lookaheads {
  completed: Lookahead;
  failed: Lookahead;
}

/** Returns the consequences of an outcome. In `progress`, its node and all other running nodes are open. */
export function lookahead(plan: Plan, progress: Progress, outcome: Outcome): Lookahead {
  const after = apply(plan, progress, outcome);
  const queue = ready(plan, after)
    .map((node) => node.id)
    .filter((nodeId) => planNode(plan, nodeId).placement === 'remote');
  const end = openNodes(after).length === 0 ? ending(plan, after) : undefined;
  return { ...(queue.length > 0 ? { queue } : {}), ...(end ? { ending: end } : {}) };
}

export function lookaheads(plan: Plan, progress: Progress, nodeId: string): Lookaheads {
  return {
    completed: lookahead(plan, progress, { nodeId, status: 'COMPLETED' }),
    failed: lookahead(plan, progress, { nodeId, status: 'FAILED', code: '' }),
  };
}

export function lookaheadOf(ahead: Partial<Lookaheads>, status: Outcome['status']): Lookahead | undefined {
  if (status === 'COMPLETED') return ahead.completed;
  return status === 'FAILED' ? ahead.failed : undefined;
}
