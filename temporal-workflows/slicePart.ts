import { defineSignal, setHandler } from '@temporalio/workflow';
import { planNode } from '../domain/workflow/planIndex.ts';
import { costOfIteration } from './historyCost.ts';
import { Host } from './host.ts';
import { type Loop, type LoopEnd, runSlice } from './loop.ts';
import { INPUT_SUBMITTED, type InputSubmitted, type SlicePart, STEP_WOKEN, type StepWoken } from './names.ts';
import { ownPlan } from './ownPlan.ts';
import { divideLoop } from './runLoop.ts';
import { runIteration } from './scopeRun.ts';

const inputSubmitted = defineSignal<[InputSubmitted]>(INPUT_SUBMITTED);
const stepWoken = defineSignal<[StepWoken]>(STEP_WOKEN);

export async function runSlicePart(part: SlicePart): Promise<LoopEnd> {
  const { nodeId, parent, loop, slice, size, ...ref } = part;
  const plan = await ownPlan({ ...ref, loopId: nodeId });
  const node = planNode(plan, nodeId);
  const host = new Host({ ...ref, plan }, title);
  const all: Loop = { host, node, parent, loop, ended: 0, runIteration: (...of) => runIteration(host, ...of) };
  function title(): string {
    return `${node.label}: iterations ${slice.from} to ${slice.to - 1}, ${all.ended} have ended`;
  }
  setHandler(inputSubmitted, (submitted) => host.answer(submitted));
  setHandler(stepWoken, (woken) => host.woken(woken));
  const iterations = slice.to - slice.from;
  if (iterations > size) return divideLoop(all, slice, size);
  host.budget.spend(iterations, costOfIteration(plan, node));
  return runSlice(all, slice);
}
