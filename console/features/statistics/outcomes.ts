import type { Tone } from '../../ui/Chip.tsx';
import type { Bucket } from './queries.ts';

export interface Part {
  tone: Tone;
  count: number;
}

/** The outcomes of a bucket, in the order of the stacked bar from below. */
export function outcomeParts({ counts }: Pick<Bucket, 'counts'>): Part[] {
  const open = counts.PENDING + counts.RUNNING + counts.WAITING + counts.NEEDS_INPUT;
  const parts: Part[] = [
    { tone: 'good', count: counts.COMPLETED },
    { tone: 'bad', count: counts.FAILED + counts.TIMED_OUT },
    { tone: 'run', count: open },
    { tone: 'neutral', count: counts.CANCELLED },
  ];
  return parts.filter(({ count }) => count > 0);
}

export const totalOf = (bucket: Pick<Bucket, 'counts'>): number =>
  outcomeParts(bucket).reduce((sum, { count }) => sum + count, 0);
