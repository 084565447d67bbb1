/** In epoch milliseconds. */
export interface Span {
  from: number;
  to: number;
}

export interface Axis {
  /** The busy times, with place and width in percent of the axis. */
  stretches: (Span & { at: number; width: number })[];
  /** The places of omitted times in percent of the width, and their lengths. */
  breaks: { at: number; ms: number }[];
}

/** A pause is omitted if it is longer than both. */
const LONG_MS = 5_000;
const LONG_SHARE = 0.1;
export const BREAK_PERCENT = 3;

/** Returns the axis of these spans or, if a stretch is given, of the part inside it. */
export function axisOf(spans: readonly Span[], stretch?: Span): Axis {
  const busy = merged(stretch === undefined ? spans : within(spans, stretch));
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

function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const before = all.at(-1);
    if (before !== undefined && from <= before.to) before.to = Math.max(before.to, to);
    else all.push({ from, to });
  }
  return all;
}

/** Clips the spans to the stretch. Its ends are included even if nothing happened there. */
function within(spans: readonly Span[], { from, to }: Span): Span[] {
  const inside = spans.flatMap((span) => partWithin(span, { from, to }) ?? []);
  return [{ from, to: from }, ...inside, { from: to, to }];
}

export function partWithin(span: Span, stretch: Span): Span | undefined {
  const from = Math.max(span.from, stretch.from);
  const to = Math.min(span.to, stretch.to);
  return from > to ? undefined : { from, to };
}

function pieces({ stretches }: Axis): Axis['stretches'] {
  return stretches.flatMap((stretch, index) => {
    const before = stretches[index - 1];
    if (before === undefined) return [stretch];
    const at = before.at + before.width;
    return [{ from: before.to, to: stretch.from, at, width: stretch.at - at }, stretch];
  });
}

/** Returns the place of a time, in percent of the width. */
export function placeOf(axis: Axis, time: number): number {
  const all = pieces(axis);
  const own = all.findLast(({ from }) => from <= time) ?? all[0];
  return own === undefined ? 0 : own.at + shareOf(time - own.from, own.to - own.from) * own.width;
}

/** Returns the time at a place, in percent of the width. */
export function timeAt(axis: Axis, place: number): number {
  const all = pieces(axis);
  const own = all.findLast(({ at }) => at <= place) ?? all[0];
  return own === undefined ? 0 : own.from + shareOf(place - own.at, own.width) * (own.to - own.from);
}

function shareOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.min(1, Math.max(0, part / whole));
}
