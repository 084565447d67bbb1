import type { Json, JsonObject } from '../json.ts';
import { Problem } from '../problem.ts';
import { isLoop } from '../workflow/definition.ts';
import type { Plan } from '../workflow/plan.ts';
import { planNode } from '../workflow/planIndex.ts';
import type { PlannedDefinition } from '../workflow/planOf.ts';
import { unchangedNodes } from '../workflow/unchangedNodes.ts';
import { type KeepRule, keepRules, reachesInside } from './keptWork.ts';
import { ready } from './reducer.ts';
import { type EarlierStep, NOTHING_KEPT, type Resumption, resume, topNode } from './resume.ts';
import type { ExecutionStatus } from './status.ts';

export interface RetryRequest {
  fromStep?: string;
  /** Replaces the values of the trigger. */
  input?: JsonObject;
  /** Loops that cannot be kept unchanged run again as a whole. */
  loops?: 'again';
  /** Failed items run again, also in loops that continued after them. */
  failedItems?: 'again';
  /** Steps of a completed execution are kept: its parent step had not completed. */
  completed?: 'kept';
}

export interface Earlier {
  status: ExecutionStatus;
  trigger: Json;
  steps: readonly EarlierStep[];
}

export interface Keeping extends Resumption {
  /** Top-level loops that resume with their items and their successful iterations. */
  opened: string[];
  rules: KeepRule[];
  failedItems: boolean;
}

export const KEEPING_NOTHING: Keeping = { ...NOTHING_KEPT, opened: [], rules: [], failedItems: false };

export interface RetryRules {
  rules: KeepRule[];
  /** The rules may cause iterations of successful loops to run again. */
  reachesInside: boolean;
}

/** Returns a retry's rules; undefined if it runs as a whole. Throws a Problem if the new version lacks the step. */
export function rulesOfRetry(
  { status }: Pick<Earlier, 'status'>,
  { fromStep, input, failedItems, completed }: RetryRequest,
  before: PlannedDefinition,
  after: PlannedDefinition,
): RetryRules | undefined {
  if (fromStep === undefined) {
    const isWhole = status === 'COMPLETED' && failedItems === undefined && completed === undefined;
    if (isWhole || input !== undefined) return undefined;
  } else if (!after.nodes.has(fromStep)) {
    const detail = `fromStep: the workflow has no node ${fromStep}`;
    throw new Problem('VALIDATION_FAILED', detail, { errors: [{ path: 'fromStep', message: detail.slice(10) }] });
  }
  const rules = keepRules(after.plan, before === after ? undefined : unchangedNodes(before, after), fromStep);
  return { rules, reachesInside: failedItems !== undefined || reachesInside(after.plan, rules) };
}

export function withoutNodes(
  plan: Plan,
  { rules, reachesInside: reaches }: RetryRules,
  nodeIds: readonly string[],
): RetryRules {
  const again = rules.map((rule) => (nodeIds.includes(rule.id) ? { ...rule, keep: false } : rule));
  return { rules: again, reachesInside: reaches || reachesInside(plan, again) };
}

/**
 * Returns what a retry keeps: all steps before `fromStep`, or else all steps before the failed ones. `reopened`:
 * top-level loops with ended iterations that run again. Throws a Problem for a step from which no retry is possible.
 */
export function keptByRetry(
  earlier: Pick<Earlier, 'steps'>,
  { fromStep, loops, failedItems }: RetryRequest,
  before: PlannedDefinition,
  { plan }: PlannedDefinition,
  { rules }: RetryRules,
  reopened: ReadonlySet<string>,
): Keeping {
  const begun = new Set(earlier.steps.map(({ nodeId }) => nodeId));
  if (fromStep !== undefined && before.nodes.has(fromStep)) {
    const top = topNode(plan, fromStep);
    const isReached = begun.has(top) && (top === fromStep || reopened.has(top));
    const reason = `The execution did not reach ${fromStep}: it cannot be retried from there`;
    if (!isReached) throw new Problem('RETRY_NOT_ALLOWED', reason);
  }
  const may = new Set(rules.flatMap(({ id, keep }) => (keep ? [id] : [])));
  const opens = new Set([...reopened, ...rules.flatMap(({ id, otherOutput }) => (otherOutput ? [id] : []))]);
  const { kept, progress } = resume(plan, earlier.steps, (nodeId) => may.has(nodeId) && !opens.has(nodeId));
  const isResumed = (nodeId: string) => may.has(nodeId) && begun.has(nodeId) && isLoop(planNode(plan, nodeId).type);
  const opened = loops === 'again' ? [] : ready(plan, progress).flatMap(({ id }) => (isResumed(id) ? [id] : []));
  return { kept, progress, opened, rules, failedItems: failedItems !== undefined };
}
