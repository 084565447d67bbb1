import { expect, test } from '@jest/globals';
import { axisOf, BREAK_PERCENT, placeOf } from './timeAxis.ts';

test('spans stand where they were, side by side or not', () => {
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
