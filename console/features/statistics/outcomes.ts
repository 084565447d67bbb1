import type { Tone } from '../../ui/Chip.tsx';
import type { Bucket, Statistics } from './queries.ts';

interface Part {
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

interface DayFigures {
  total: number;
  /** The share of completed and failed executions that failed, from 0 to 1; undefined if there are none. */
  failedShare: number | undefined;
  /** The longest p95 of a day; at least 1. */
  longestMs: number;
  lastTimed: Bucket | undefined;
}

export function dayFigures(buckets: readonly Bucket[]): DayFigures {
  const sum = (of: (bucket: Bucket) => number) => buckets.reduce((total, bucket) => total + of(bucket), 0);
  const countOf = (tone: 'good' | 'bad') => (bucket: Bucket) =>
    outcomeParts(bucket).find((part) => part.tone === tone)?.count ?? 0;
  const failed = sum(countOf('bad'));
  const decided = failed + sum(countOf('good'));
  return {
    total: sum(totalOf),
    failedShare: decided === 0 ? undefined : failed / decided,
    longestMs: Math.max(1, ...buckets.map(({ p95Ms }) => p95Ms ?? 0)),
    lastTimed: buckets.findLast(({ p95Ms }) => p95Ms !== null),
  };
}

type Group = Statistics['groups'][number];

interface SlowGroup {
  key: string;
  name: string | null;
  p50Ms: number;
  p95Ms: number;
  /** The p95 of the previous period; undefined if no execution ended in it. */
  wasMs: number | undefined;
}

export function slowestGroups(groups: readonly Group[], before: readonly Group[], most: number): SlowGroup[] {
  const earlier = new Map(before.map(({ key, p95Ms }) => [key, p95Ms ?? undefined]));
  return groups
    .flatMap(({ key, name, p50Ms, p95Ms }) =>
      p50Ms === null || p95Ms === null ? [] : [{ key, name, p50Ms, p95Ms, wasMs: earlier.get(key) }],
    )
    .toSorted((one, other) => other.p95Ms - one.p95Ms)
    .slice(0, most);
}

/** Only a duration that doubled is worth marking. */
export const isSlower = ({ p95Ms, wasMs }: SlowGroup): boolean => wasMs !== undefined && p95Ms >= 2 * wasMs;
