/** The spans of the search parameter `since`, in milliseconds. */
const SPANS_MS: Record<string, number> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
};

export function longerSpan(since: string): string | undefined {
  const spans = Object.keys(SPANS_MS);
  return spans.includes(since) ? spans[spans.indexOf(since) + 1] : undefined;
}

/** Times are rounded to the minute, so that a list keeps its key while it is shown. */
const MINUTE_MS = 60_000;

/** Returns the earliest time of a list for `filterBy`; undefined: no limit. `now`: milliseconds since the epoch. */
export function sinceTime(since: string | undefined, now: number): string | undefined {
  const span = SPANS_MS[since ?? ''];
  if (span === undefined) return undefined;
  return new Date(Math.floor((now - span) / MINUTE_MS) * MINUTE_MS).toISOString();
}
