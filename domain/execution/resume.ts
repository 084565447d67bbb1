/**
 * What a retry keeps of the execution before it, and where it begins.
 *
 *     a ──► b ──► c (failed) ──► d        kept: a, b; anew: c, d. With fromStep b: kept: a.
 *
 * The steps that are kept are told to the reducer as outcomes, in an order in which they could have come. So what a
 * retry begins with is a progress that the execution itself could have been in: what they skip is skipped, and
 * nothing that is kept stands behind something that runs anew.
 */
import type { Plan, PlanNode } from '../workflow/plan.ts';
import type { Outcome } from './outcome.ts';
import { apply, NOTHING_DONE, type Progress, ready } from './progress.ts';
import type { StepStatus } from './status.ts';

/** A step of the execution before, outside its loops. */
export interface EarlierStep {
  nodeId: string;
  status: StepStatus;
  handle: string | null;
}

export interface Resumption {
  /** Nodes whose steps are taken over, in the order in which they are told. */
  kept: string[];
  /** What the retry begins with. */
  progress: Progress;
}

export const NOTHING_KEPT: Resumption = { kept: [], progress: NOTHING_DONE };

/**
 * `plan` is what the retry runs. Kept is what has completed, or failed and was caught, and does not stand behind
 * something that runs anew; `mayKeep` says no for `fromStep` and for what has changed since.
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

/** Undefined for what runs anew: what ended the execution, was cancelled, or was not reached. */
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

/** The node at the top that holds it: a loop is kept or retried as a whole. */
export function topNode(plan: Plan, nodeId: string): string {
  const parents = new Map(plan.nodes.map(({ id, parentId }) => [id, parentId]));
  let top = nodeId;
  for (let parent = parents.get(top); parent !== undefined; parent = parents.get(top)) top = parent;
  return top;
}
