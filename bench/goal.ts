import type { SampledSide } from './sampler.ts';
import type { BenchStack } from './stack.ts';

export interface Goal {
  /** Our value, our ratio to bare, or our difference from bare. */
  of: 'ours' | 'ratio' | 'difference';
  atMost?: number;
  atLeast?: number;
}

export function isMet(
  { of, atMost, atLeast }: Goal,
  figures: { ours: number; ratio?: number; difference?: number },
): boolean {
  const figure = figures[of];
  if (figure === undefined) return false;
  return (atMost === undefined || figure <= atMost) && (atLeast === undefined || figure >= atLeast);
}

/** Rows of one kind of work, with their samplers. `bareUrl` is that of bench/bare. */
export interface RowFamily<Name extends string> {
  title: string;
  names: readonly Name[];
  rows: Record<Name, SampledRow>;
  ours(name: Name, stack: BenchStack, bareUrl: string): Promise<SampledSide>;
  /** Undefined if the row has no counterpart. */
  bare(name: Name, bareUrl: string, stack: BenchStack): SampledSide | undefined | Promise<SampledSide>;
}

/** A row measured by consecutive samples, alternating between the sides. */
export interface SampledRow {
  title: string;
  unit: string;
  beside: string;
  goals: Goal[];
  /** Per round and side. */
  samples: number;
  /** Takes minutes, so it runs only if `--row` names it. */
  isLong?: true;
}
