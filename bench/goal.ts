export interface Goal {
  /** Ours as it is, or ours to bare. */
  of: 'ours' | 'ratio';
  atMost?: number;
  atLeast?: number;
}

export function isMet({ of, atMost, atLeast }: Goal, figures: { ours: number; ratio?: number }): boolean {
  const figure = figures[of];
  if (figure === undefined) return false;
  return (atMost === undefined || figure <= atMost) && (atLeast === undefined || figure >= atLeast);
}

/** What is measured by samples, one after the other, both sides in turn. */
export interface SampledRow {
  title: string;
  unit: string;
  /** What it stands beside. */
  beside: string;
  goals: Goal[];
  /** Of one round on one side. */
  samples: number;
  /** It takes minutes: run only where `--row` names it. */
  isLong?: true;
}
