import { patched } from '@temporalio/workflow';
import { divideLoop, lanesFor, runInChildren } from './divideLoop.ts';
import {
  eventsInside,
  eventsPerIteration,
  iterationsPerWorkflow,
  LARGE,
  retryEventsPerIteration,
} from './iterationCost.ts';
import { isOver, type Loop, type LoopEnd } from './loop.ts';
import { evenShare } from './loopShares.ts';
import { runShare } from './runShare.ts';

/** Children that divide their share again, and retries in the estimate: before it, one level of children had all. */
const BOUNDED_LOOPS = 'bounded-loops';
/** Children of up to 500 iterations: before it, 100. */
const LARGE_CHILDREN = 'large-children';

/**
 * Runs all iterations: few of them in this workflow, many as child workflows of up to 500 each, so that no history
 * grows with the loop. A repeat begins here in any case, since most end early.
 */
export async function runLoop(all: Loop): Promise<LoopEnd> {
  const { host, node, loop } = all;
  const { total, concurrency } = loop;
  const plain = eventsPerIteration(host.plan, node);
  const retries = retryEventsPerIteration(host.plan, node);
  // For loops that fit, both ways are the same: they leave no marker.
  const isLong = total > iterationsPerWorkflow(plain);
  const isLarge = isLong && patched(LARGE_CHILDREN);
  const isBounded = isLarge || ((retries > 0 || isLong) && patched(BOUNDED_LOOPS));
  const each = isBounded ? plain + retries : plain;
  const atOnce = iterationsPerWorkflow(each);
  const mayRunHere = node.type === 'repeat' ? Math.min(total, atOnce) : total <= atOnce ? total : 0;
  const here = host.takeIterations(mayRunHere, each);
  // A forEach is not divided between this workflow and others.
  const first = node.type === 'repeat' || here === total ? here : 0;
  if (first > 0) {
    const end = await runShare(all, { from: 0, to: first, concurrency });
    if (isOver(end)) return end;
  }
  if (first === total) return {};
  const rest = { from: first, to: total, concurrency };
  if (!isBounded) return runInChildren(all, rest, { each: atOnce });
  if (!isLarge) return divideLoop(all, rest, { size: atOnce });
  const most = iterationsPerWorkflow(each, LARGE);
  const size = evenShare(total - first, most, lanesFor(all, concurrency));
  return divideLoop(all, rest, { size, eventsInside: eventsInside(size, each) });
}
