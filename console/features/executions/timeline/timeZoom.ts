import { type Axis, placeOf, type Span, timeAt } from './timeAxis.ts';

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
