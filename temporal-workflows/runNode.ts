import { ActivityFailure, continueAsNew, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';
import type { RegionResult, RegionStart } from '../domain/execution/activityCalls.ts';
import { NOTHING_DONE } from '../domain/execution/progress.ts';
import { begin } from '../domain/execution/reducer.ts';
import { summary } from '../domain/execution/summary.ts';
import { local } from './localActivities.ts';
import type { NextRun, RunNodeArguments } from './names.ts';
import { lostAttempt, RemoteActions } from './remoteActivities.ts';
import { showDetails } from './shownDetails.ts';
import { shownTime } from './statusDetails.ts';

/** After so many runs of the node, its workflow begins a new history: each leaves eleven events at most. */
const RUNS_PER_HISTORY = 300;

/**
 * Runs one node repeatedly until its end: further attempts of an action, or a loop whose iterations run in regions.
 * Returns the outcome of the last run, which its parent folds. It is a child workflow, so that the length of the
 * parent's history does not depend on the number of runs.
 */
export async function runNode(args: RunNodeArguments): Promise<RegionResult> {
  const run = new NodeRun(args);
  let { next } = args;
  for (let runs = 0; runs < RUNS_PER_HISTORY; runs += 1) {
    const result = await run.once(next);
    const further = run.after(next, result);
    if (!further) return result;
    next = further;
  }
  return continueAsNew<typeof runNode>({ ...args, next });
}

class NodeRun {
  readonly #args: RunNodeArguments;
  readonly #actions = new RemoteActions();

  /** `again`: this workflow may be reset as any other, and each of its histories follows another one. */
  constructor(args: RunNodeArguments) {
    this.#args = { ...args, ref: { ...args.ref, again: true } };
  }

  async once(next: NextRun): Promise<RegionResult> {
    const text = textOf(this.#args, next);
    const at = shownTime(Date.now() + next.delayMs);
    showDetails(() => `${text} at ${at}`);
    await sleep(next.delayMs, { summary: summary(text) });
    showDetails(() => text);
    const { node } = this.#args;
    if (next.cause === 'iterate') return this.#region({ nodeId: node.id, cause: 'iterate' });
    if (node.placement === 'inline') return this.#region({ nodeId: node.id, cause: 'run', attempt: next.attempt });
    return this.#attempt(next.attempt, next.reconnectUntil);
  }

  /** The run that follows from a result; undefined where the node has come to an end. */
  after(next: NextRun, { outcomes, endStatus }: RegionResult): NextRun | undefined {
    if (endStatus !== undefined) return undefined;
    const outcome = outcomes.find(({ nodeId }) => nodeId === this.#args.node.id);
    if (outcome?.status === 'RETRYING') {
      return { cause: 'retry', attempt: outcome.attempt + 1, delayMs: outcome.delayMs };
    }
    const goesOn = outcome === undefined || outcome.status === 'LOOPING';
    return goesOn ? { ...next, delayMs: 1 } : undefined;
  }

  async #attempt(attempt: number, reconnectUntil?: number): Promise<RegionResult> {
    const { node, completed, failed, ref } = this.#args;
    // It waits for its connection in the workflow in which its scope stands.
    const host = workflowInfo().parent?.workflowId;
    try {
      const { outcome, ...result } = await this.#actions.run(`${node.label} (attempt ${attempt})`, {
        ...ref,
        nodeId: node.id,
        attempt,
        completed,
        failed,
        ...(reconnectUntil === undefined ? {} : { reconnectUntil }),
        ...(host === undefined ? {} : { host }),
      });
      return { outcomes: [outcome], ...result };
    } catch (error) {
      if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
      return this.#region(lostAttempt(node.id, attempt, error));
    }
  }

  #region(start: RegionStart): Promise<RegionResult> {
    const { node, ref, completed, failed } = this.#args;
    const progress = begin(NOTHING_DONE, [node.id]);
    const only = { completed, failed };
    // A step that waits does so in the workflow in which its scope stands.
    const host = workflowInfo().parent?.workflowId;
    const where = host === undefined ? {} : { host };
    return local(node.label).runRegion({ ...ref, start: [start], progress, sole: false, only, ...where });
  }
}

function textOf({ node }: RunNodeArguments, next: NextRun): string {
  if (next.cause === 'iterate') return `Goes on: ${node.label}`;
  return `Retry ${next.attempt} of ${node.retry?.maximumAttempts ?? next.attempt}: ${node.label}`;
}
