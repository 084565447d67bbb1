import { type Axis, placeOf } from './timeAxis.ts';
import { endsOf } from './timeZoom.ts';

export interface Tick {
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
