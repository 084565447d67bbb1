import { ActivityFailure, continueAsNew, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { RegionResult, RegionStart, ScopeRef } from '../domain/execution/activityCalls.ts';
import { loopKey } from '../domain/execution/iteration.ts';
import { lookaheads } from '../domain/execution/lookahead.ts';
import { NOTHING_DONE, type Progress } from '../domain/execution/progress.ts';
import { begin } from '../domain/execution/reducer.ts';
import { summary } from '../domain/execution/summary.ts';
import type { Plan, PlanNode } from '../domain/workflow/plan.ts';
import { showDetails } from './currentDetails.ts';
import { ATTEMPT_COST, REGION_COST } from './historyCost.ts';
import { local } from './localActivities.ts';
import type { NextRun, NodePart } from './names.ts';
import { awaitPart } from './partOfExecution.ts';
import { lostAttempt, RemoteActions } from './remoteActivities.ts';
import { shownTime } from './statusDetails.ts';
import { WorkerCalls } from './workerCalls.ts';
import { HistoryBudget } from './workflowBudget.ts';

interface ScopeNow {
  ref: ScopeRef;
  plan: Plan;
  progress: Progress;
}

export function repeatElsewhere(
  { ref, plan, progress }: ScopeNow,
  node: PlanNode,
  next: NextRun,
): Promise<RegionResult> {
  const part: NodePart = { ref, node, ...lookaheads(plan, progress, node.id), next };
  const workflowId = `${ref.executionId}/${loopKey(ref.iteration ?? '', node.id)}`;
  return awaitPart({ workspaceId: ref.workspaceId, workflowId, part, text: `Continues: ${node.label}` });
}

/**
 * Runs one node repeatedly to its end, in a child to keep the parent's history short: further attempts of an action, or
 * a loop whose iterations run in regions. Returns the last run's result, which the parent folds.
 */
export async function runNodePart(part: NodePart): Promise<RegionResult> {
  const budget = new HistoryBudget();
  const run = new NodeRun(part, budget);
  let { next } = part;
  for (;;) {
    const mayContinue = budget.mayRepeat(next.cause === 'iterate' ? REGION_COST : ATTEMPT_COST);
    // The server suggests it for the bytes, which the estimate does not contain.
    if (!mayContinue || workflowInfo().continueAsNewSuggested) {
      await continueAsNew<(part: NodePart) => Promise<RegionResult>>({ ...part, next });
    }
    const result = await run.once(next);
    const further = run.after(next, result);
    if (!further) return result;
    next = further;
  }
}

class NodeRun {
  readonly #part: NodePart;
  readonly #actions = new RemoteActions();
  readonly #workers: WorkerCalls;
  /** The workflow of the node's scope; steps wait there. */
  readonly #host: { host?: string };

  /** Sets `again`, because the node has run in another history before, and any workflow may be reset. */
  constructor(part: NodePart, budget: HistoryBudget) {
    this.#workers = new WorkerCalls(this.#actions, budget);
    this.#part = { ...part, ref: { ...part.ref, again: true } };
    const host = workflowInfo().parent?.workflowId;
    this.#host = host === undefined ? {} : { host };
  }

  async once(next: NextRun): Promise<RegionResult> {
    const text = textOf(this.#part, next);
    const at = shownTime(Date.now() + next.delayMs);
    showDetails(() => `${text} at ${at}`);
    await sleep(next.delayMs, { summary: summary(text) });
    showDetails(() => text);
    const { node } = this.#part;
    if (next.cause === 'iterate') return this.#region({ nodeId: node.id, cause: 'iterate' });
    if (node.placement === 'inline') return this.#inlineAttempt(next.attempt, next.reconnectUntil);
    return this.#attempt(next.attempt, next.reconnectUntil);
  }

  after(next: NextRun, { outcomes, endStatus }: RegionResult): NextRun | undefined {
    if (endStatus !== undefined) return undefined;
    const outcome = outcomes.find(({ nodeId }) => nodeId === this.#part.node.id);
    if (outcome?.status === 'RETRYING') {
      return { cause: 'retry', attempt: outcome.attempt + 1, delayMs: outcome.delayMs };
    }
    const continues = outcome === undefined || outcome.status === 'LOOPING';
    return continues ? { ...next, delayMs: 1 } : undefined;
  }

  /** The region of an action on a customer's worker only begins it. */
  async #inlineAttempt(attempt: number, reconnectUntil?: number): Promise<RegionResult> {
    const { node, ref } = this.#part;
    const until = reconnectUntil === undefined ? {} : { reconnectUntil };
    const begun = await this.#region({ nodeId: node.id, cause: 'run', attempt, ...until });
    const outcome = begun.outcomes.find((each) => each.status === 'WORKER');
    if (!outcome || begun.endStatus !== undefined) return begun;
    const result = await this.#workers.run(node, ref, outcome);
    return this.#region({ nodeId: node.id, cause: 'worked', attempt, result });
  }

  async #attempt(attempt: number, reconnectUntil?: number): Promise<RegionResult> {
    const { node, completed, failed, ref } = this.#part;
    try {
      const { outcome, ...result } = await this.#actions.run(`${node.label} (attempt ${attempt})`, {
        ...ref,
        nodeId: node.id,
        attempt,
        completed,
        failed,
        ...(reconnectUntil === undefined ? {} : { reconnectUntil }),
        ...this.#host,
      });
      return { outcomes: [outcome], ...result };
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      return this.#region(lostAttempt(node.id, attempt, error));
    }
  }

  #region(start: RegionStart): Promise<RegionResult> {
    const { node, ref, completed, failed } = this.#part;
    const progress = begin(NOTHING_DONE, [node.id]);
    const only = { completed, failed };
    return local(node.label).runRegion({ ...ref, start: [start], progress, sole: false, only, ...this.#host });
  }
}

function textOf({ node }: NodePart, next: NextRun): string {
  if (next.cause === 'iterate') return `Continues: ${node.label}`;
  return `Retry ${next.attempt} of ${node.retry?.maximumAttempts ?? next.attempt}: ${node.label}`;
}
