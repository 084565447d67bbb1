import { expect, test } from '@jest/globals';
import { axisOf } from './timeAxis.ts';
import { offsetText, ticksOf } from './timeTicks.ts';

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
