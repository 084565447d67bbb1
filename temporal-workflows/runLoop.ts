import { AT_ONCE } from '../domain/execution/lanes.ts';
import { divideLoop, lanesFor } from './divideLoop.ts';
import { eventsInside, eventsPerIteration, iterationsPerWorkflow, LARGE } from './iterationCost.ts';
import { isOver, type Loop, type LoopEnd } from './loop.ts';
import { evenShare } from './loopShares.ts';
import { runShare } from './runShare.ts';

/**
 * Runs all iterations: few of them in this workflow, many as child workflows of up to 500 each, so that no history
 * grows with the loop, and no workflow has much under way at once. A repeat begins here in any case, since most end early.
 */
export async function runLoop(all: Loop): Promise<LoopEnd> {
  const { host, node, loop } = all;
  const { total, concurrency } = loop;
  const each = eventsPerIteration(host.plan, node);
  const first = takeIterations(all, each);
  if (first > 0) {
    const end = await runHere(all, first);
    if (isOver(end)) return end;
  }
  if (first === total) return {};
  const lanes = lanesFor(concurrency);
  const size = evenShare(total - first, iterationsPerWorkflow(each, LARGE), lanes, concurrency > AT_ONCE ? lanes : 1);
  return divideLoop(all, { from: first, to: total, concurrency }, { size, eventsInside: eventsInside(size, each) });
}

/**
 * How many of the first iterations run in this workflow: of a forEach all or none, where it has room for them in its history
 * and lanes to run them in. runHere gives the lanes back.
 */
function takeIterations(all: Loop, eventsEach: number): number {
  const { host, node, loop } = all;
  const most = iterationsPerWorkflow(eventsEach);
  if (node.type === 'repeat') return host.takeIterations(Math.min(loop.total, most), eventsEach);
  if (loop.total > most || !host.lanes.tryTake(besideFirst(all))) return 0;
  if (host.takeIterations(loop.total, eventsEach) === loop.total) return loop.total;
  host.lanes.give(besideFirst(all));
  return 0;
}

async function runHere(all: Loop, iterations: number): Promise<LoopEnd> {
  try {
    return await runShare(all, { from: 0, to: iterations, concurrency: all.loop.concurrency });
  } finally {
    if (all.node.type !== 'repeat') all.host.lanes.give(besideFirst(all));
  }
}

/** Iterations of a forEach that run beside its first one, which runs where its loop stood. */
function besideFirst({ loop: { total, concurrency } }: Loop): number {
  return Math.max(Math.min(total, concurrency) - 1, 0);
}
