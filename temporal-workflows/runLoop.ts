import { CancellationScope, CancelledFailure, ChildWorkflowFailure, TerminatedFailure } from '@temporalio/workflow';
import { loopKey } from '../domain/execution/iteration.ts';
import type { LostIterations } from '../domain/execution/outcome.ts';
import { type Cost, costOfIteration } from './historyCost.ts';
import { inLanes, type Loop, type LoopEnd, runSlice, type Slice } from './loop.ts';
import type { SlicePart } from './names.ts';
import { awaitPart } from './partOfExecution.ts';
import {
  AT_ONCE,
  evenSlice,
  iterationsHere,
  iterationsInChild,
  iterationsPerChild,
  lanesFor,
  lanesOfIteration,
} from './workflowBudget.ts';

/**
 * Runs all iterations, so that no history grows with the loop and no workflow runs many branches at once:
 *
 *   forEach that fits (budget, lanes)   here, `concurrency` iterations at once
 *   any other forEach                   in children (slicePart.ts), a slice each
 *   repeat                              here while the history has room, since most end early; the rest in children
 *   a slice of more than `size`         in children of the child, if this history has no room for that many children
 */
export async function runLoop(all: Loop): Promise<LoopEnd> {
  const { host, node, loop } = all;
  const { total, concurrency } = loop;
  const each = costOfIteration(host.plan, node);
  // The first iterations of a repeat that a retry reused count as run here.
  const kept = (node.type === 'repeat' && loop.kept) || 0;
  const first = kept + takeIterations(all, each);
  if (first > kept) {
    const end = await runHere(all, { from: kept, to: first, concurrency });
    if (end !== 'ended') return end;
  }
  if (first === total) return 'ended';
  const lanes = lanesFor(concurrency, lanesOfIteration(host.plan, node));
  const size = evenSlice(total - first, iterationsInChild(each), lanes, concurrency > AT_ONCE ? lanes : 1);
  return divideLoop(all, { from: first, to: total, concurrency }, size);
}

/** Returns how many of the first iterations run here. For a forEach it is all or none; runHere returns the lanes. */
function takeIterations(all: Loop, each: Cost): number {
  const { host, node, loop } = all;
  const most = iterationsHere(each);
  if (node.type === 'repeat') return host.budget.take(Math.min(loop.total - (loop.kept ?? 0), most), each);
  if (loop.total > most || !host.lanes.tryTake(lanesOf(all))) return 0;
  if (host.budget.take(loop.total, each) === loop.total) return loop.total;
  host.lanes.give(lanesOf(all));
  return 0;
}

async function runHere(all: Loop, slice: Slice): Promise<LoopEnd> {
  try {
    return await runSlice(all, slice);
  } finally {
    if (all.node.type !== 'repeat') all.host.lanes.give(lanesOf(all));
  }
}

/** Returns the lanes to take: the first concurrent iteration uses that of the loop itself. */
function lanesOf({ host, node, loop: { total, concurrency } }: Loop): number {
  return Math.max(Math.min(total, concurrency) * lanesOfIteration(host.plan, node) - 1, 0);
}

/** Runs a slice in child workflows. Each runs at most `size` iterations, or divides its slice again. */
export function divideLoop(all: Loop, slice: Slice, size: number): Promise<LoopEnd> {
  const { from, to, concurrency } = slice;
  const each = iterationsPerChild(to - from, size, all.host.budget);
  const widest = lanesFor(concurrency, lanesOfIteration(all.host.plan, all.node));
  const lanes = Math.min(Math.ceil((to - from) / each), widest);
  let next = from;
  return inLanes(lanes, (lane) => {
    if (next >= to) return undefined;
    const start = next;
    next = Math.min(start + each, to);
    const atOnce = Math.floor(concurrency / lanes) + (lane < concurrency % lanes ? 1 : 0);
    const piece = { from: start, to: next, concurrency: atOnce };
    return async () => {
      const end = await runChild(all, piece, size);
      all.ended += piece.to - piece.from;
      return end;
    };
  });
}

async function runChild({ host, node, parent, loop }: Loop, slice: Slice, size: number): Promise<LoopEnd> {
  const key = loopKey(parent, node.id);
  const divides = slice.to - slice.from > size;
  const part: SlicePart = { ...host.ref, nodeId: node.id, parent, loop, slice, size };
  // The first child of a divided slice begins at the same iteration, so the id includes the end too.
  const workflowId = `${host.ref.executionId}/${key}:${slice.from}${divides ? `-${slice.to}` : ''}`;
  const isRest = loop.kept !== undefined && node.type === 'forEach';
  const text = `${node.label}: ${isRest ? 'remaining ' : ''}iterations ${slice.from} to ${slice.to - 1}`;
  try {
    const { workspaceId } = host.ref;
    return await awaitPart({ workspaceId, workflowId, part, text });
  } catch (error) {
    const how = endedBySomebody(error);
    if (!how || CancellationScope.current().consideredCancelled) throw error;
    return { lost: { from: slice.from, to: slice.to, how, ...(isRest ? { ofRest: true } : {}) } };
  }
}

function endedBySomebody(error: unknown): LostIterations['how'] | undefined {
  if (!(error instanceof ChildWorkflowFailure)) return undefined;
  if (error.cause instanceof CancelledFailure) return 'cancelled';
  return error.cause instanceof TerminatedFailure ? 'terminated' : undefined;
}
