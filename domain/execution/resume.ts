/**
 * Chooses the kept steps of a retry, and its starting point.
 *
 *     a ──► b ──► c (failed) ──► d        kept: a, b; again: c, d. With fromStep b: kept: a.
 *
 * The reducer receives the kept steps as outcomes, in a possible order. A retry therefore begins with a progress that
 * the execution itself could have reached: nodes that the outcomes skip are skipped, and no kept step depends on a step
 * that runs again.
 */
import type { Plan, PlanNode } from '../workflow/plan.ts';
import type { Outcome } from './outcome.ts';
import { NOTHING_DONE, type Progress } from './progress.ts';
import { apply, ready } from './reducer.ts';
import type { StepStatus } from './status.ts';

/** A step of the earlier execution, outside its loops. */
export interface EarlierStep {
  nodeId: string;
  status: StepStatus;
  handle: string | null;
}

export interface Resumption {
  /** Nodes whose steps are reused, in the order in which the plan reaches them. */
  kept: string[];
  progress: Progress;
}

export const NOTHING_KEPT: Resumption = { kept: [], progress: NOTHING_DONE };

/**
 * Returns the kept steps. `plan` is the plan of the retry. A step is kept if it completed, or failed and was handled,
 * and no step before it runs again; `mayKeep` excludes `fromStep` and changed nodes.
 */
export function resume(
  plan: Plan,
  steps: readonly EarlierStep[],
  mayKeep: (nodeId: string) => boolean = () => true,
): Resumption {
  const earlier = new Map(steps.map((step) => [step.nodeId, step]));
  const kept: string[] = [];
  let progress = NOTHING_DONE;
  for (;;) {
    const next = ready(plan, progress).flatMap((node) => outcomeOf(node, earlier.get(node.id), mayKeep) ?? []);
    if (next.length === 0) return { kept, progress };
    for (const outcome of next) {
      progress = apply(plan, progress, outcome);
      kept.push(outcome.nodeId);
    }
  }
}

/** Returns undefined for a step that runs again: it ended the execution, was cancelled, or was not reached. */
function outcomeOf(
  node: PlanNode,
  step: EarlierStep | undefined,
  mayKeep: (nodeId: string) => boolean,
): Outcome | undefined {
  if (step === undefined || !mayKeep(node.id)) return undefined;
  const { nodeId, status, handle } = step;
  if (status === 'COMPLETED' && node.type !== 'stop') {
    return { nodeId, status, ...(handle === null ? {} : { handle }) };
  }
  if (status === 'FAILED' && node.onError !== undefined) return { nodeId, status, code: 'KEPT' };
  return undefined;
}

export function topNode(plan: Plan, nodeId: string): string {
  const parents = new Map(plan.nodes.map(({ id, parentId }) => [id, parentId]));
  let top = nodeId;
  for (let parent = parents.get(top); parent !== undefined; parent = parents.get(top)) top = parent;
  return top;
}
