/** How far a list looks back, as it stands in its address, in milliseconds. */
const SPANS_MS: Record<string, number> = {
  '1h': 3_600_000,
  '24h': 86_400_000,
  '7d': 604_800_000,
  '30d': 2_592_000_000,
};

/** The next longer time to look at; undefined where nothing longer is offered. */
export function longerSpan(since: string): string | undefined {
  const spans = Object.keys(SPANS_MS);
  return spans.includes(since) ? spans[spans.indexOf(since) + 1] : undefined;
}

/** It is counted from the minute: the same list keeps its name while one looks at it. */
const MINUTE_MS = 60_000;

/** The time from which a list looks, for `filterBy`; undefined: all. `now` in milliseconds since the epoch. */
export function sinceTime(since: string | undefined, now: number): string | undefined {
  const span = SPANS_MS[since ?? ''];
  if (span === undefined) return undefined;
  return new Date(Math.floor((now - span) / MINUTE_MS) * MINUTE_MS).toISOString();
}
