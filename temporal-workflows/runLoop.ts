import { divideLoop, lanesFor } from './divideLoop.ts';
import { eventsInside, eventsPerIteration, iterationsPerWorkflow, LARGE } from './iterationCost.ts';
import { isOver, type Loop, type LoopEnd } from './loop.ts';
import { evenShare } from './loopShares.ts';
import { runShare } from './runShare.ts';

/**
 * Runs all iterations: few of them in this workflow, many as child workflows of up to 500 each, so that no history
 * grows with the loop. A repeat begins here in any case, since most end early.
 */
export async function runLoop(all: Loop): Promise<LoopEnd> {
  const { host, node, loop } = all;
  const { total, concurrency } = loop;
  const each = eventsPerIteration(host.plan, node);
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
  const size = evenShare(total - first, iterationsPerWorkflow(each, LARGE), lanesFor(concurrency));
  return divideLoop(all, { from: first, to: total, concurrency }, { size, eventsInside: eventsInside(size, each) });
}
