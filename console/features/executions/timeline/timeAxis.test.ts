import { expect, test } from '@jest/globals';
import {
  around,
  axisOf,
  BREAK_PERCENT,
  endsOf,
  isBeside,
  isSame,
  marked,
  moved,
  offsetText,
  partWithin,
  placeOf,
  type Stretch,
  ticksOf,
  timeAt,
  zoomed,
} from './timeAxis.ts';

test('spans keep their places, adjacent or not', () => {
  const axis = axisOf([
    { from: 0, to: 100 },
    { from: 50, to: 400 },
  ]);
  expect(axis.breaks).toEqual([]);
  expect([0, 100, 400].map((time) => placeOf(axis, time))).toEqual([0, 25, 100]);
});

test('a long pause is left out, and its length said; a short one is not', () => {
  const hour = 3_600_000;
  const axis = axisOf([
    { from: 0, to: 1_000 },
    { from: 2_000, to: 3_000 },
    { from: hour, to: hour + 3_000 },
  ]);
  expect(axis.breaks).toEqual([{ at: (100 - BREAK_PERCENT) / 2, ms: hour - 3_000 }]);
  expect(placeOf(axis, hour)).toBeCloseTo((100 + BREAK_PERCENT) / 2);
  expect(placeOf(axis, hour + 3_000)).toBeCloseTo(100);
});

test('nothing, and a moment, have a place', () => {
  expect(placeOf(axisOf([]), 5)).toBe(0);
  expect(placeOf(axisOf([{ from: 7, to: 7 }]), 7)).toBe(0);
});

test('each place has its time, and each time its place, also where time is left out', () => {
  const hour = 3_600_000;
  const axis = axisOf([
    { from: 500, to: 1_500 },
    { from: hour, to: hour + 3_000 },
  ]);
  for (const time of [500, 700, 1_500, hour / 2, hour, hour + 1_234, hour + 3_000]) {
    expect(timeAt(axis, placeOf(axis, time))).toBeCloseTo(time);
  }
  const middle = axis.breaks[0]?.at ?? 0;
  expect(timeAt(axis, middle + BREAK_PERCENT / 2)).toBeCloseTo((1_500 + hour) / 2);
  expect([timeAt(axis, -5), timeAt(axis, 105)]).toEqual([500, hour + 3_000]);
  expect(timeAt(axisOf([]), 50)).toBe(0);
});

test('of a stretch the axis goes from its begin to its end, and has no other time', () => {
  const spans = [
    { from: 0, to: 100 },
    { from: 300, to: 900 },
  ];
  const axis = axisOf(spans, { from: 50, to: 450 });
  expect([50, 100, 250, 450].map((time) => placeOf(axis, time))).toEqual([0, 12.5, 50, 100]);
  expect([0, 900].map((time) => placeOf(axis, time))).toEqual([0, 100]);
  const still = axisOf(spans, { from: 2_000, to: 2_100 });
  expect([timeAt(still, 0), timeAt(still, 100)]).toEqual([2_000, 2_100]);
});

test('of a span, the part within a stretch counts', () => {
  const stretch = { from: 10, to: 20 };
  expect(partWithin({ from: 0, to: 15 }, stretch)).toEqual({ from: 10, to: 15 });
  expect(partWithin({ from: 20, to: 20 }, stretch)).toEqual({ from: 20, to: 20 });
  expect(partWithin({ from: 21, to: 30 }, stretch)).toBeUndefined();
});

const whole = axisOf([{ from: 1_000, to: 9_000 }]);

test('zooming goes in and out around the middle, and out of the whole there is no way', () => {
  const half = zoomed(whole, undefined, 'in');
  expect(half).toEqual({ from: 3_000, to: 7_000 });
  expect(zoomed(whole, half, 'in')).toEqual({ from: 4_000, to: 6_000 });
  expect(zoomed(whole, half, 'out')).toBeUndefined();
  expect(zoomed(whole, undefined, 'out')).toBeUndefined();
  expect(zoomed(whole, { from: 1_000, to: 3_000 }, 'out')).toEqual({ from: 1_000, to: 5_000 });
});

test('in steps of a half one comes to each end, and no farther', () => {
  let stretch: Stretch = { from: 4_000, to: 6_000 };
  stretch = moved(whole, stretch, 'earlier');
  expect(stretch).toEqual({ from: 3_000, to: 5_000 });
  for (let count = 0; count < 5; count += 1) stretch = moved(whole, stretch, 'earlier');
  expect(stretch).toEqual({ from: 1_000, to: 3_000 });
  expect(isSame(moved(whole, stretch, 'earlier'), stretch)).toBe(true);
  for (let count = 0; count < 9; count += 1) stretch = moved(whole, stretch, 'later');
  expect(stretch).toEqual({ from: 7_000, to: 9_000 });
  expect(moved(whole, undefined, 'later')).toBeUndefined();
});

test('time that the axis leaves out is not zoomed into', () => {
  const hour = 3_600_000;
  const axis = axisOf([
    { from: 0, to: 1_000 },
    { from: hour, to: hour + 9_000 },
  ]);
  expect(zoomed(axis, undefined, 'in')?.from).toBeGreaterThan(hour);
});

test('less than some milliseconds is not looked at, be it by zooming, by marking, or around a moment', () => {
  let stretch: Stretch;
  for (let count = 0; count < 40; count += 1) stretch = zoomed(whole, stretch, 'in');
  expect((stretch?.to ?? 0) - (stretch?.from ?? 0)).toBeGreaterThanOrEqual(4);
  expect(isSame(zoomed(whole, stretch, 'in'), stretch)).toBe(true);
  expect(marked(whole, 50, 50)).toEqual({ from: 4_998, to: 5_002 });
  expect(around(whole, { from: 2_000, to: 2_000 })).toEqual({ from: 1_996, to: 2_004 });
});

test('a moment has nothing to zoom into', () => {
  const moment = axisOf([{ from: 7, to: 8 }]);
  expect([zoomed(moment, undefined, 'in'), around(moment, { from: 7, to: 8 })]).toEqual([undefined, undefined]);
});

test('marking goes both ways', () => {
  expect(marked(whole, 75, 25)).toEqual({ from: 3_000, to: 7_000 });
});

test('a zoomed step has some margin within the whole; a step that fills the whole is not zoomed', () => {
  expect(around(whole, { from: 4_000, to: 5_000 })).toEqual({ from: 3_900, to: 5_100 });
  expect(around(whole, { from: 1_000, to: 2_000 })).toEqual({ from: 1_000, to: 2_100 });
  expect(around(whole, endsOf(whole))).toBeUndefined();
});

test('a step is in the stretch, or on one side of it', () => {
  const stretch = { from: 10, to: 20 };
  const sides = (
    [
      [0, 9],
      [0, 10],
      [12, 13],
      [0, 30],
      [20, 25],
      [21, 25],
    ] as const
  ).map(([from, to]) => isBeside({ from, to }, stretch));
  expect(sides).toEqual(['earlier', undefined, undefined, undefined, undefined, 'later']);
  expect(isBeside({ from: 0, to: 1 }, undefined)).toBeUndefined();
});

const START = Date.UTC(2026, 10, 21, 10, 15, 30, 123);
const texts = (fromMs: number, toMs: number, widthPx: number) =>
  ticksOf(axisOf([{ from: START + fromMs, to: START + toMs }]), START, widthPx).map(({ text }) => text);

test('the ends have their own times, with round ones in between', () => {
  expect(texts(0, 5_300, 400)).toEqual(['+0 s', '+1 s', '+2 s', '+3 s', '+4 s', '+5.3 s']);
  expect(texts(0, 900, 300)).toEqual(['+0 s', '+200 ms', '+400 ms', '+600 ms', '+900 ms']);
  expect(texts(0, 7_200_000, 400)).toEqual(['+0 s', '+30 m', '+1 h', '+1 h 30 m', '+2 h']);
});

test('times are from the begin of the execution on, as exact as the stretch needs', () => {
  expect(texts(61_200, 61_600, 300)).toEqual(['+1 m 1.2 s', '+1 m 1.4 s', '+1 m 1.6 s']);
});

test('without room, only the ends have ticks', () => {
  expect(texts(0, 5_300, 60)).toEqual(['+0 s', '+5.3 s']);
  expect(texts(0, 5_300, 0)).toEqual(['+0 s', '+5.3 s']);
});

test('a retry begins at zero: the steps that it kept ran before', () => {
  const axis = axisOf([{ from: START - 2_000, to: START + 2_000 }]);
  expect(ticksOf(axis, START, 250).map(({ text }) => text)).toEqual(['−2 s', '−1 s', '+0 s', '+1 s', '+2 s']);
});

test('a moment has one time, and nothing has its zero', () => {
  expect(texts(0, 0, 300)).toEqual(['+0 s']);
  expect(ticksOf(axisOf([]), 0, 300).map(({ text }) => text)).toEqual(['+0 s']);
});

test('no tick is in a part that the axis omits', () => {
  const hour = 3_600_000;
  const axis = axisOf([
    { from: START, to: START + 2_000 },
    { from: START + hour, to: START + hour + 2_000 },
  ]);
  const ticks = ticksOf(axis, START, 600);
  expect(ticks.map(({ text }) => text)).toEqual([
    '+0 s',
    '+500 ms',
    '+1 s',
    '+1.5 s',
    '+2 s',
    '+1 h 0.5 s',
    '+1 h 1 s',
    '+1 h 1.5 s',
    '+1 h 2 s',
  ]);
  const places = ticks.map(({ at }) => at);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('however long an execution takes, the ticks are few', () => {
  for (const days of [1, 30, 400, 4_000]) {
    expect(texts(0, days * 86_400_000 + 5, 700).length).toBeLessThan(14);
  }
});

test.each([
  [0, 1, '+0 s'],
  [7.4, 1, '+7 ms'],
  [1_234, 1, '+1.234 s'],
  [1_200, 100, '+1.2 s'],
  [59_960, 100, '+1 m'],
  [59_960, 1_000, '+1 m'],
  [7_201_000, 1_000, '+2 h 1 s'],
  [90_061_000, 60_000, '+1 d 1 h 1 m'],
  [-7_200, 100, '−7.2 s'],
  [-0.4, 1, '+0 s'],
])('%s ms in steps of %s ms are %s', (ms, step, text) => expect(offsetText(ms, step)).toBe(text));
