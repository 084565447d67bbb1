import { patched } from '@temporalio/workflow';
import { divideLoop, runInChildren } from './divideLoop.ts';
import { eventsPerIteration, iterationsPerWorkflow, retryEventsPerIteration } from './iterationCost.ts';
import { isOver, type Loop, type LoopEnd } from './loop.ts';
import { runShare } from './runShare.ts';

/** Children that divide their share again, and retries in the estimate: before it, one level of children had all. */
const BOUNDED_LOOPS = 'bounded-loops';

/**
 * Runs all iterations: few of them in this workflow, many as child workflows of up to 100 each, so that no history
 * grows with the loop. A repeat begins here in any case, since most end early.
 */
export async function runLoop(all: Loop): Promise<LoopEnd> {
  const { host, node, loop } = all;
  const { total, concurrency } = loop;
  const plain = eventsPerIteration(host.plan, node);
  const retries = retryEventsPerIteration(host.plan, node);
  // For loops that fit, both ways are the same: they leave no marker.
  const isBounded = (retries > 0 || total > iterationsPerWorkflow(plain)) && patched(BOUNDED_LOOPS);
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
  return isBounded ? divideLoop(all, rest, atOnce) : runInChildren(all, rest, atOnce);
}
