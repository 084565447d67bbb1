import { type Axis, placeOf, type Span, timeAt } from './timeAxis.ts';

/** What is looked at of the time; undefined: the whole, which grows while the execution goes on. */
export type Stretch = Span | undefined;

/** Times are known by the millisecond: less has nothing to see. */
const MIN_MS = 4;
/** What stands on either side of a step, as a share of it. */
const BESIDE = 0.1;

/** Half of it, or twice as much, around its middle. By places and not by times: what the axis leaves out is not zoomed into. */
export function zoomed(whole: Axis, stretch: Stretch, by: 'in' | 'out'): Stretch {
  const { from, to } = placesOf(whole, stretch);
  const least = by === 'in' && timeAt(whole, to) - timeAt(whole, from) < 2 * MIN_MS;
  return least ? stretch : between(whole, (from + to) / 2, (to - from) * (by === 'in' ? 0.5 : 2));
}

/** As much of the time, half of it farther. */
export function moved(whole: Axis, stretch: Stretch, way: 'earlier' | 'later'): Stretch {
  const { from, to } = placesOf(whole, stretch);
  const length = to - from;
  return between(whole, (from + to + (way === 'earlier' ? -length : length)) / 2, length);
}

/** What was marked, in percent of an axis. */
export function marked(axis: Axis, one: number, other: number): Span {
  return widened({ from: timeAt(axis, Math.min(one, other)), to: timeAt(axis, Math.max(one, other)) });
}

/** A span, and a little on either side. */
export function around(whole: Axis, span: Span): Stretch {
  const { from, to } = endsOf(whole);
  const beside = Math.max((span.to - span.from) * BESIDE, MIN_MS);
  const stretch = { from: Math.max(from, span.from - beside), to: Math.min(to, span.to + beside) };
  return stretch.from <= from && stretch.to >= to ? undefined : stretch;
}

export function isSame(one: Stretch, other: Stretch): boolean {
  return one?.from === other?.from && one?.to === other?.to;
}

/** The begin and the end of an axis. */
export function endsOf({ stretches }: Axis): Span {
  return { from: stretches[0]?.from ?? 0, to: stretches.at(-1)?.to ?? 0 };
}

function placesOf(whole: Axis, stretch: Stretch): Span {
  return stretch === undefined
    ? { from: 0, to: 100 }
    : { from: placeOf(whole, stretch.from), to: placeOf(whole, stretch.to) };
}

/** So much of the width around a place, moved to where it is within the whole. */
function between(whole: Axis, middle: number, length: number): Stretch {
  if (length >= 100) return undefined;
  const from = Math.min(Math.max(middle - length / 2, 0), 100 - length);
  return widened({ from: timeAt(whole, from), to: timeAt(whole, from + length) });
}

function widened({ from, to }: Span): Span {
  const lack = Math.max(0, MIN_MS - (to - from)) / 2;
  return { from: from - lack, to: to + lack };
}

/** On which side of the stretch a span is of which nothing is in it. */
export function isBeside({ from, to }: Span, stretch: Stretch): 'earlier' | 'later' | undefined {
  if (stretch === undefined) return undefined;
  if (to < stretch.from) return 'earlier';
  return from > stretch.to ? 'later' : undefined;
}
