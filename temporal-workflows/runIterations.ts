import { defineSignal, setHandler } from '@temporalio/workflow';
import { planNode } from '../domain/execution/progress.ts';
import { divideLoop } from './divideLoop.ts';
import { Host } from './host.ts';
import type { Loop, LoopEnd } from './loop.ts';
import { INPUT_SUBMITTED, type InputSubmitted, type RunIterationsArguments } from './names.ts';
import { runShare } from './runShare.ts';

const inputSubmitted = defineSignal<[InputSubmitted]>(INPUT_SUBMITTED);

/** A share of a loop's iterations, as a child of the workflow in which the loop stands: its history is their own. */
export async function runIterations(args: RunIterationsArguments): Promise<LoopEnd> {
  const { nodeId, parent, loop, share, size, eventsInside, ...run } = args;
  const isDivided = share.to - share.from > size;
  const node = planNode(run.plan, nodeId);
  const all: Loop = { host: new Host(run, title, isDivided ? undefined : eventsInside), node, parent, loop, ended: 0 };
  function title(): string {
    return `${node.label}: iterations ${share.from} to ${share.to - 1}, ${all.ended} have ended`;
  }
  setHandler(inputSubmitted, (submitted) => all.host.answer(submitted));
  if (!isDivided) return runShare(all, share);
  return divideLoop(all, share, { size, eventsInside });
}
