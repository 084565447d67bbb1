/** The visible stretch of time; undefined: all of it, which grows while the execution runs. */
export type Stretch = Span | undefined;

/** Times are recorded in milliseconds; a shorter stretch shows nothing. */
const MIN_MS = 4;
/** The margin on either side of a step, as a share of its length. */
const BESIDE = 0.1;

/** Scales places instead of times, so that it does not zoom into breaks. */
export function zoomed(whole: Axis, stretch: Stretch, by: 'in' | 'out'): Stretch {
  const { from, to } = placesOf(whole, stretch);
  const least = by === 'in' && timeAt(whole, to) - timeAt(whole, from) < 2 * MIN_MS;
  return least ? stretch : between(whole, (from + to) / 2, (to - from) * (by === 'in' ? 0.5 : 2));
}

/** Moves the stretch by half of its length. */
export function moved(whole: Axis, stretch: Stretch, way: 'earlier' | 'later'): Stretch {
  const { from, to } = placesOf(whole, stretch);
  const length = to - from;
  return between(whole, (from + to + (way === 'earlier' ? -length : length)) / 2, length);
}

/** Returns the stretch between two places, in percent of the axis. */
export function marked(axis: Axis, one: number, other: number): Span {
  return widened({ from: timeAt(axis, Math.min(one, other)), to: timeAt(axis, Math.max(one, other)) });
}

export function around(whole: Axis, span: Span): Stretch {
  const { from, to } = endsOf(whole);
  const beside = Math.max((span.to - span.from) * BESIDE, MIN_MS);
  const stretch = { from: Math.max(from, span.from - beside), to: Math.min(to, span.to + beside) };
  return stretch.from <= from && stretch.to >= to ? undefined : stretch;
}

export function isSame(one: Stretch, other: Stretch): boolean {
  return one?.from === other?.from && one?.to === other?.to;
}

export function endsOf({ stretches }: Axis): Span {
  return { from: stretches[0]?.from ?? 0, to: stretches.at(-1)?.to ?? 0 };
}

function placesOf(whole: Axis, stretch: Stretch): Span {
  return stretch === undefined
    ? { from: 0, to: 100 }
    : { from: placeOf(whole, stretch.from), to: placeOf(whole, stretch.to) };
}

function between(whole: Axis, middle: number, length: number): Stretch {
  if (length >= 100) return undefined;
  const from = Math.min(Math.max(middle - length / 2, 0), 100 - length);
  return widened({ from: timeAt(whole, from), to: timeAt(whole, from + length) });
}

function widened({ from, to }: Span): Span {
  const lack = Math.max(0, MIN_MS - (to - from)) / 2;
  return { from: from - lack, to: to + lack };
}

/** On which side of the stretch the span is; undefined if they overlap. */
export function isBeside({ from, to }: Span, stretch: Stretch): 'earlier' | 'later' | undefined {
  if (stretch === undefined) return undefined;
  if (to < stretch.from) return 'earlier';
  return from > stretch.to ? 'later' : undefined;
}

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

interface Tick {
  /** In percent of the width. */
  at: number;
  text: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const NICE = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * DAY),
];
/** The minimum widths of a tick and of a character. */
const TICK_PX = 56;
const CHARACTER_PX = 7;
const GAP_PX = 8;

/** The precision of the texts at the ends, as a share of the shown time. */
const EXACT = 0.02;

export function endTexts(axis: Axis, origin: number): [begin: string, end: string] {
  const { from, to } = endsOf(axis);
  const exact = shownMs(axis) * EXACT;
  return [offsetText(from - origin, exact), offsetText(to - origin, exact)];
}

/** Returns the ticks relative to `origin`: both ends and, between them, even steps that have room. */
export function ticksOf(axis: Axis, origin: number, widthPx: number): Tick[] {
  const { from, to } = endsOf(axis);
  const [first, last] = endTexts(axis, origin);
  const begin = { at: placeOf(axis, from), text: first };
  const shown = shownMs(axis);
  if (shown === 0) return [begin];
  const end = { at: placeOf(axis, to), text: last };
  const step = niceStep(shown / Math.max(1, widthPx / TICK_PX));
  const isApart = (one: Tick, other: Tick) => {
    const needed = ((one.text.length + other.text.length) * CHARACTER_PX) / 2 + GAP_PX;
    return (Math.abs(other.at - one.at) * widthPx) / 100 >= needed;
  };
  const kept = [begin];
  for (const stretch of axis.stretches) {
    for (let at = Math.ceil((stretch.from - origin) / step) * step; at <= stretch.to - origin; at += step) {
      const next = { at: placeOf(axis, origin + at), text: offsetText(at, step) };
      if (isApart(kept.at(-1) ?? begin, next) && isApart(next, end)) kept.push(next);
    }
  }
  return [...kept, end];
}

function shownMs({ stretches }: Axis): number {
  return stretches.reduce((sum, { from, to }) => sum + to - from, 0);
}

function niceStep(leastMs: number): number {
  return NICE.find((step) => step >= leastMs) ?? 1_000 * DAY;
}

/** Formats an offset: `+0 s`, `+1.2 s`, `+2 h 3 m`, `−7 s`. Only as precise as the step requires. */
export function offsetText(ms: number, stepMs: number): string {
  return ms < 0 ? lengthText(-ms, stepMs, '−') : lengthText(ms, stepMs, '+');
}

function lengthText(ms: number, stepMs: number, sign: '+' | '−'): string {
  const digits = [SECOND, 100, 10].findIndex((least) => stepMs >= least);
  const decimals = digits < 0 ? 3 : digits;
  const unit = stepMs >= MINUTE ? MINUTE : SECOND / 10 ** decimals;
  const rounded = Math.round(ms / unit) * unit;
  if (rounded === 0) return '+0 s';
  if (rounded < SECOND) return `${sign}${Math.round(rounded)} ms`;
  if (rounded < MINUTE) return `${sign}${Number((rounded / SECOND).toFixed(decimals))} s`;
  const parts = [
    [Math.floor(rounded / DAY), 'd'],
    [Math.floor((rounded % DAY) / HOUR), 'h'],
    [Math.floor((rounded % HOUR) / MINUTE), 'm'],
    [Number(((rounded % MINUTE) / SECOND).toFixed(decimals)), 's'],
  ] as const;
  return `${sign}${parts.flatMap(([count, name]) => (count === 0 ? [] : [`${count} ${name}`])).join(' ')}`;
}
