import type { Answer } from 'perdure-client';

const DAY_MS = 86_400_000;

type Known = Pick<Answer<'getQueue'>, 'itemCounts' | 'statistics'>;

/** `ms`: the time for the waiting items at the pace of the last 24 hours. Undefined if none waits or none has ended. */
export function queuePace({ itemCounts, statistics }: Known): { waiting: number; ms: number } | undefined {
  if (itemCounts === undefined || statistics === undefined) return undefined;
  const waiting = itemCounts.PENDING + itemCounts.RETRYING;
  const ended = statistics.completedLast24h + statistics.failedLast24h;
  return waiting === 0 || ended === 0 ? undefined : { waiting, ms: (waiting / ended) * DAY_MS };
}
