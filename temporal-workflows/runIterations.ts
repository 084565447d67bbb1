import { defineSignal, setCurrentDetails, setHandler } from '@temporalio/workflow';
import { planNode } from '../domain/execution/progress.ts';
import { Host } from './host.ts';
import type { LoopEnd } from './loop.ts';
import { INPUT_SUBMITTED, type InputSubmitted, type RunIterationsArguments } from './names.ts';
import { runShare } from './runShare.ts';

const inputSubmitted = defineSignal<[InputSubmitted]>(INPUT_SUBMITTED);

/** A share of a loop's iterations, as a child of the workflow in which the loop stands: its history is their own. */
export async function runIterations({ nodeId, parent, loop, share, ...run }: RunIterationsArguments): Promise<LoopEnd> {
  const host = new Host(run);
  setHandler(inputSubmitted, (submitted) => host.answer(submitted));
  setCurrentDetails(`Iterations ${share.from} to ${share.to - 1}`);
  return runShare({ host, node: planNode(run.plan, nodeId), parent, loop }, share);
}
