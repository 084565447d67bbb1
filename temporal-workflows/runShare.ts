import { sleep } from '@temporalio/workflow';
import { iterationKey } from '../domain/execution/iteration.ts';
import { summary } from '../domain/execution/summary.ts';
import type { Host } from './host.ts';
import { leavesWorkflow } from './iterationCost.ts';
import { local } from './localActivities.ts';
import { inLanes, isOver, type Loop, type LoopEnd, type Share } from './loop.ts';

/** After so many iterations without leaving the workflow, signals and cancellations are heard. */
const ITERATIONS_BETWEEN_PAUSES = 25;

/** Runs a share of a loop's iterations in this workflow. */
export function runShare(all: Loop, share: Share): Promise<LoopEnd> {
  return all.node.type === 'repeat' ? repeat(all, share) : forEach(all, share);
}

function forEach(all: Loop, { from, to, concurrency }: Share): Promise<LoopEnd> {
  let next = from;
  return inLanes(Math.min(concurrency, to - from), () => {
    if (next >= to) return undefined;
    const index = next;
    next += 1;
    return () => runIteration(all, index);
  });
}

async function repeat(all: Loop, { from, to }: Share): Promise<LoopEnd> {
  const { host, node, parent, loop } = all;
  const at = { ...host.ref, ...(parent === '' ? {} : { iteration: parent }), nodeId: node.id };
  const limit = loop.total;
  for (let index = from; ; index += 1) {
    if (node.asks) {
      const answer = await local(`Asks: ${node.label}`).askLoop({ ...at, index, limit });
      if (answer === 'end') return { done: true };
      if (answer === 'failed') return { failed: index };
    }
    if (index === to) return {};
    if (index > 0 && loop.pauseMs !== undefined) {
      await local(`Pauses: ${node.label}`).showPause({ ...at, wakeAt: Date.now() + loop.pauseMs });
      await sleep(loop.pauseMs, { summary: summary(`Pause: ${node.label}`) });
      await local(`Goes on: ${node.label}`).showPause(at);
    }
    const end = await runIteration(all, index);
    if (isOver(end)) return end;
  }
}

async function runIteration(all: Loop, index: number): Promise<LoopEnd> {
  const { host, node, parent, loop } = all;
  if (index % ITERATIONS_BETWEEN_PAUSES === ITERATIONS_BETWEEN_PAUSES - 1 && !leavesWorkflow(host.plan, node)) {
    await sleep(1, { summary: summary(`Goes on: ${node.label}`) });
  }
  const end = await inScope(host, iterationKey(parent, node.id, index));
  all.ended += 1;
  if ('status' in end) return end.status === 'FAILED' && loop.onItemError === 'stop' ? { failed: index } : {};
  return end;
}

async function inScope(host: Host, iteration: string) {
  const scope = host.enter(iteration);
  try {
    return await scope.runIteration();
  } finally {
    host.leave(scope);
  }
}
