import { afterEach, expect, jest, test } from '@jest/globals';

afterEach(() => void jest.restoreAllMocks());

test('a clock that nobody has read for a time says the time of now: what was just made is not shown as to come', async () => {
  Object.assign(globalThis, { document: { addEventListener: () => undefined, visibilityState: 'visible' } });
  const clock = jest.spyOn(Date, 'now').mockReturnValue(1_000_000);
  const { timeOfClock } = await import('./clock.ts');
  expect(timeOfClock()).toBe(1_000_000);
  clock.mockReturnValue(1_000_500);
  expect(timeOfClock()).toBe(1_000_000);
  clock.mockReturnValue(1_021_000);
  expect(timeOfClock()).toBe(1_021_000);
});
