import type { SampledSide } from './sampler.ts';
import type { BenchStack } from './stack.ts';

export interface Goal {
  /** Ours as it is, ours to bare, or ours less bare. */
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

/** Rows of one kind of work, and their samplers. `bareUrl` is that of bench/bare. */
export interface RowFamily<Name extends string> {
  /** Of the report's table. */
  title: string;
  names: readonly Name[];
  rows: Record<Name, SampledRow>;
  ours(name: Name, stack: BenchStack, bareUrl: string): Promise<SampledSide>;
  /** Undefined where nothing stands beside the row. */
  bare(name: Name, bareUrl: string, stack: BenchStack): SampledSide | undefined | Promise<SampledSide>;
}

/** Rows measured by samples, one after the other, both sides in turn. */
export interface SampledRow {
  title: string;
  unit: string;
  /** The work that it is compared with. */
  beside: string;
  goals: Goal[];
  /** Of one round on one side. */
  samples: number;
  /** It takes minutes: run only where `--row` names it. */
  isLong?: true;
}
