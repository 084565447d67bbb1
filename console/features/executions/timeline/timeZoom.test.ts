import { expect, test } from '@jest/globals';
import { axisOf } from './timeAxis.ts';
import { around, endsOf, isBeside, isSame, marked, moved, type Stretch, zoomed } from './timeZoom.ts';

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
