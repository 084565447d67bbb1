import { ENGINE_ROW_NAMES, ENGINE_ROWS, type EngineRowName } from './engineRows.ts';
import { bareSampler, ourSampler } from './engineSamples.ts';
import type { SampledRow } from './goal.ts';
import type { SampledSide } from './sampler.ts';
import type { BenchStack } from './stack.ts';
import { WORK_ROW_NAMES, WORK_ROWS, type WorkRowName } from './workRows.ts';
import { bareWorkSide, ourWorkSide } from './workSamples.ts';

// All rows that are measured by samples, and their two sides.

export const SAMPLED_ROW_NAMES = [...ENGINE_ROW_NAMES, ...WORK_ROW_NAMES] as const;
export type SampledRowName = EngineRowName | WorkRowName;

export const SAMPLED_ROWS: Record<SampledRowName, SampledRow> = { ...ENGINE_ROWS, ...WORK_ROWS };

export function ourSampledSide(name: SampledRowName, stack: BenchStack): Promise<SampledSide> {
  return isWorkRow(name) ? ourWorkSide(name, stack) : ourSampler(name, stack);
}

/** Undefined where nothing stands beside the row. */
export async function bareSampledSide(
  name: SampledRowName,
  url: string,
  stack: BenchStack,
): Promise<SampledSide | undefined> {
  return isWorkRow(name) ? bareWorkSide(name, url, stack) : bareSampler(name, url);
}

function isWorkRow(name: SampledRowName): name is WorkRowName {
  return Object.hasOwn(WORK_ROWS, name);
}
