import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { inLanes } from './inLanes.ts';

test('as many run at once as there are lanes, in the order of the items', async () => {
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  await inLanes(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
    begun.push(item);
    most = Math.max(most, ++running);
    await setImmediate();
    running--;
  });
  expect([begun, most]).toEqual([[1, 2, 3, 4, 5, 6, 7], 3]);
});

test('after a failure nothing begins, and the failure is reported once the running ones have ended', async () => {
  const begun: number[] = [];
  const release: (() => void)[] = [];
  const all = inLanes(2, [1, 2, 3], async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('second');
    await new Promise<void>((resolve) => release.push(resolve));
  });
  let ended = false;
  const watched = all.finally(() => {
    ended = true;
  });
  await setImmediate();
  expect([begun, ended]).toEqual([[1, 2], false]);
  release[0]?.();
  await expect(watched).rejects.toThrow('second');
  expect(begun).toEqual([1, 2]);
});
