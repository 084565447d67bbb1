import type { RegionResult } from '../domain/execution/activityCalls.ts';
import type { LoopEnd } from './loop.ts';
import type { NodePart, SlicePart } from './names.ts';
import { runNodePart } from './nodePart.ts';
import { runSlicePart } from './slicePart.ts';

/** Runs a part of an execution as a child, so that its events are in a separate history. */
export function runPart(part: SlicePart | NodePart): Promise<LoopEnd | RegionResult> {
  return 'slice' in part ? runSlicePart(part) : runNodePart(part);
}
