const BUCKETS = ['hour', 'day'] as const;
export type Bucket = (typeof BUCKETS)[number];

const LENGTH_MS: Readonly<Record<Bucket, number>> = { hour: 3_600_000, day: 86_400_000 };
const DEFAULT_MS: Readonly<Record<Bucket, number>> = { hour: 86_400_000, day: 30 * 86_400_000 };

export const MAX_BUCKETS = 1_000;

export interface Range {
  from: Date;
  /** Starts of the buckets, in UTC, oldest first. */
  starts: Date[];
}

/** Returns the buckets between two times, or their number if it exceeds MAX_BUCKETS. */
export function statisticsRange(
  bucket: Bucket,
  now: Date,
  after: Date | undefined,
  before: Date | undefined,
): Range | number {
  const length = LENGTH_MS[bucket];
  const begin = (at: number) => Math.floor(at / length) * length;
  const to = before?.getTime() ?? now.getTime();
  const from = after?.getTime() ?? begin(to - DEFAULT_MS[bucket]);
  const first = begin(from);
  const count = Math.max(0, Math.floor((begin(to) - first) / length) + 1);
  if (count > MAX_BUCKETS) return count;
  return {
    from: new Date(from),
    starts: Array.from({ length: count }, (_, index) => new Date(first + index * length)),
  };
}
