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
  /** A node's id. */
  fromStep?: string;
  /** Instead of the trigger's values. */
  input?: JsonObject;
  /** A loop that does not stay as it is runs as a whole. */
  loops?: 'again';
  /** Items that failed in loops that went on run again. */
  failedItems?: 'again';
  /** An execution that completed stays so: the step that waited for it had not. */
  completed?: 'kept';
}

/** The execution before. */
export interface Earlier {
  status: ExecutionStatus;
  trigger: Json;
  steps: readonly EarlierStep[];
}

/** What a retry takes over. */
export interface Keeping extends Resumption {
  /** Loops at the top that continue: with their items, and the iterations that ended well. */
  opened: string[];
  rules: KeepRule[];
  failedItems: boolean;
}

export const KEEPING_NOTHING: Keeping = { ...NOTHING_KEPT, opened: [], rules: [], failedItems: false };

/** The rules by which a retry with this request keeps steps, or undefined if it runs as a whole. */
export interface RetryRules {
  rules: KeepRule[];
  /** Iterations of loops that ended well may run again by them. */
  reachesInside: boolean;
}

/** Undefined: it runs as a whole. Throws a Problem for a step that the version that runs does not have. */
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

/** The rules by which these nodes run again too. */
export function withoutNodes(
  plan: Plan,
  { rules, reachesInside: reaches }: RetryRules,
  nodeIds: readonly string[],
): RetryRules {
  const again = rules.map((rule) => (nodeIds.includes(rule.id) ? { ...rule, keep: false } : rule));
  return { rules: again, reachesInside: reaches || reachesInside(plan, again) };
}

/**
 * The part that a retry keeps: with `fromStep` all steps before it, otherwise all steps before the failed ones.
 * `reopened`: loops at the top with iterations that ended and run again by the rules. Throws a Problem for a step from
 * which no retry is possible.
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
