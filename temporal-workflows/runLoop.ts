import { executeChild, ParentClosePolicy, workflowInfo } from '@temporalio/workflow';
import { loopKey } from '../domain/execution/iteration.ts';
import { summary } from '../domain/execution/summary.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import { loopPlan } from '../domain/workflow/scopePlan.ts';
import { eventsPerIteration, iterationsPerWorkflow } from './iterationCost.ts';
import { countEnded, inLanes, isOver, type Loop, type LoopEnd, type Share } from './loop.ts';
import { RUN_ITERATIONS, type RunIterationsArguments } from './names.ts';
import { runShare } from './runShare.ts';

/** Child workflows of one loop that run side by side, at most, and how much each does at once where there are several. */
const MOST_LANES = 10;
const CONCURRENCY_PER_LANE = 10;

/**
 * Runs all iterations: few of them in this workflow, many as child workflows of up to 100 each, so that no history
 * grows with the loop. A repeat begins here in any case, since most end early.
 */
export async function runLoop(all: Loop): Promise<LoopEnd> {
  const { host, node, loop } = all;
  const each = eventsPerIteration(host.plan, node);
  const { total, concurrency } = loop;
  const atOnce = iterationsPerWorkflow(each);
  const mayRunHere = node.type === 'repeat' ? Math.min(total, atOnce) : total <= atOnce ? total : 0;
  const here = host.takeIterations(mayRunHere, each);
  // A forEach is not divided between this workflow and others.
  const first = node.type === 'repeat' || here === total ? here : 0;
  if (first > 0) {
    const end = await runShare(all, { from: 0, to: first, concurrency });
    if (isOver(end)) return end;
  }
  return runInChildren(all, first, atOnce);
}

function runInChildren(all: Loop, from: number, size: number): Promise<LoopEnd> {
  const { total, concurrency } = all.loop;
  const plan = loopPlan(all.host.plan, all.node.id);
  const shares = Math.ceil((total - from) / size);
  const lanes = Math.min(shares, Math.ceil(concurrency / CONCURRENCY_PER_LANE), MOST_LANES);
  let next = from;
  return inLanes(lanes, (lane) => {
    if (next >= total) return undefined;
    const start = next;
    next = Math.min(start + size, total);
    const share = Math.floor(concurrency / lanes) + (lane < concurrency % lanes ? 1 : 0);
    const piece = { from: start, to: next, concurrency: share };
    return async () => {
      const end = await runChild(all, plan, piece);
      countEnded(all, piece.to - piece.from);
      return end;
    };
  });
}

function runChild({ host, node, parent, loop }: Loop, plan: Plan, share: Share): Promise<LoopEnd> {
  const key = loopKey(parent, node.id);
  const args: RunIterationsArguments = {
    ...host.ref,
    plan,
    actionTimeoutMs: host.actionTimeoutMs,
    nodeId: node.id,
    parent,
    loop,
    share,
  };
  return executeChild(RUN_ITERATIONS, {
    workflowId: `${host.ref.executionId}/${key}:${share.from}`,
    args: [args],
    staticSummary: summary(`${node.label}: iterations ${share.from} to ${share.to - 1}`),
    typedSearchAttributes: workflowInfo().typedSearchAttributes,
    parentClosePolicy: ParentClosePolicy.TERMINATE,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
}
