import { CancellationScope, CancelledFailure, ChildWorkflowFailure, TerminatedFailure } from '@temporalio/workflow';
import { loopKey } from '../domain/execution/iteration.ts';
import { lanesOf } from '../domain/execution/lanes.ts';
import type { LostIterations } from '../domain/execution/outcome.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import { loopPlan } from '../domain/workflow/scopePlan.ts';
import { inLanes, type Loop, type LoopEnd, type Share } from './loop.ts';
import { iterationsPerChild } from './loopShares.ts';
import { RUN_ITERATIONS, type RunIterationsArguments } from './names.ts';
import { runPart } from './partOfExecution.ts';

/** Child workflows of one loop that run side by side, at most. */
const MOST_LANES = 10;

/** How a share is divided. */
export interface Division {
  /** Iterations that a child runs itself; one that is given more divides it again. */
  size: number;
  /** Events that loops inside may leave in the history of a child. */
  eventsInside: number;
}

/** Runs a share of a loop in child workflows of at most `size` iterations, or in children that divide theirs again. */
export function divideLoop(all: Loop, share: Share, division: Division): Promise<LoopEnd> {
  const { from, to, concurrency } = share;
  const each = iterationsPerChild(to - from, division.size, all.host);
  const plan = loopPlan(all.host.plan, all.node.id);
  const lanes = Math.min(Math.ceil((to - from) / each), lanesFor(concurrency));
  let next = from;
  return inLanes(lanes, (lane) => {
    if (next >= to) return undefined;
    const start = next;
    next = Math.min(start + each, to);
    const atOnce = Math.floor(concurrency / lanes) + (lane < concurrency % lanes ? 1 : 0);
    const piece = { from: start, to: next, concurrency: atOnce };
    return async () => {
      const end = await runChild(all, plan, piece, division);
      all.ended += piece.to - piece.from;
      return end;
    };
  });
}

/** Child workflows of the loop that may run side by side. */
export function lanesFor(concurrency: number): number {
  return Math.min(lanesOf(concurrency), MOST_LANES);
}

async function runChild(
  { host, node, parent, loop }: Loop,
  plan: Plan,
  share: Share,
  { size, eventsInside }: Division,
): Promise<LoopEnd> {
  const key = loopKey(parent, node.id);
  const divides = share.to - share.from > size;
  const args: RunIterationsArguments = {
    ...host.ref,
    plan,
    nodeId: node.id,
    parent,
    loop,
    share,
    size,
    eventsInside,
  };
  // The first of those that it divides its share between begins where it does.
  const workflowId = `${host.ref.executionId}/${key}:${share.from}${divides ? `-${share.to}` : ''}`;
  const text = `${node.label}: iterations ${share.from} to ${share.to - 1}`;
  try {
    return await runPart<LoopEnd, RunIterationsArguments>({ type: RUN_ITERATIONS, workflowId, args, text });
  } catch (error) {
    const how = endedBySomebody(error);
    if (!how || CancellationScope.current().consideredCancelled) throw error;
    return { lost: { from: share.from, to: share.to, how } };
  }
}

/** A child that was cancelled or terminated in the engine, by hand or by the server. */
function endedBySomebody(error: unknown): LostIterations['how'] | undefined {
  if (!(error instanceof ChildWorkflowFailure)) return undefined;
  if (error.cause instanceof CancelledFailure) return 'cancelled';
  return error.cause instanceof TerminatedFailure ? 'terminated' : undefined;
}
