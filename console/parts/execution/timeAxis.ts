/** From and to in milliseconds. */
export interface Span {
  from: number;
  to: number;
}

export interface Axis {
  /** Stretches of time in which something happened, and where each begins, in percent of the width. */
  stretches: (Span & { at: number; width: number })[];
  /** Where time is left out, in percent of the width, and how much. */
  breaks: { at: number; ms: number }[];
}

/** A pause is left out when it is longer than both. */
const LONG_MS = 5_000;
const LONG_SHARE = 0.1;
/** What a break takes of the width. */
export const BREAK_PERCENT = 3;

/** The axis of these spans. */
export function axisOf(spans: readonly Span[]): Axis {
  const busy = merged(spans);
  const first = busy[0];
  const last = busy.at(-1);
  if (first === undefined || last === undefined) return { stretches: [], breaks: [] };
  const whole = last.to - first.from;
  const joined: Span[] = [];
  for (const span of busy) {
    const before = joined.at(-1);
    const pause = before === undefined ? 0 : span.from - before.to;
    const isLong = pause > LONG_MS && pause > whole * LONG_SHARE;
    if (before === undefined || isLong) joined.push({ ...span });
    else before.to = span.to;
  }
  const shown = Math.max(
    joined.reduce((sum, { from, to }) => sum + to - from, 0),
    1,
  );
  const room = 100 - BREAK_PERCENT * (joined.length - 1);
  const axis: Axis = { stretches: [], breaks: [] };
  let at = 0;
  joined.forEach((span, index) => {
    const before = joined[index - 1];
    if (before !== undefined) {
      axis.breaks.push({ at, ms: span.from - before.to });
      at += BREAK_PERCENT;
    }
    const width = (room * (span.to - span.from)) / shown;
    axis.stretches.push({ ...span, at, width });
    at += width;
  });
  return axis;
}

/** Spans that touch as one, in order. */
function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const before = all.at(-1);
    if (before !== undefined && from <= before.to) before.to = Math.max(before.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** Where a time stands, in percent of the width. */
export function placeOf({ stretches }: Axis, time: number): number {
  const own = stretches.findLast(({ from }) => from <= time) ?? stretches[0];
  if (own === undefined) return 0;
  const length = own.to - own.from;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, (time - own.from) / length));
  return own.at + share * own.width;
}
