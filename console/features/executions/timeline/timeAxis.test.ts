import { expect, test } from '@jest/globals';
import { axisOf, BREAK_PERCENT, partWithin, placeOf, timeAt } from './timeAxis.ts';

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
