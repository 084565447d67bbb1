import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { SharedRead } from './sharedRead.ts';

function controlled() {
  const ends: ((value: number) => void)[] = [];
  let running = 0;
  const shared = new SharedRead<number>(async () => {
    running += 1;
    expect(running).toBe(1);
    return new Promise<number>((resolve) => ends.push(resolve)).finally(() => {
      running -= 1;
    });
  });
  return { shared, ends };
}

test('all requests during a read share the next read', async () => {
  const { shared, ends } = controlled();
  const first = shared.fresh();
  await setImmediate();
  const others = Array.from({ length: 100 }, () => shared.fresh());
  await setImmediate();
  expect(ends).toHaveLength(1);
  ends[0]?.(1);
  expect(await first).toBe(1);
  await setImmediate();
  expect(ends).toHaveLength(2);
  ends[1]?.(2);
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
});

test('a failed read fails for all its sharers, and the next request reads again', async () => {
  let reads = 0;
  const shared = new SharedRead(async () => {
    reads += 1;
    if (reads === 1) throw new Error('away');
    return reads;
  });
  const both = await Promise.allSettled([shared.fresh(), shared.fresh()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await shared.fresh()).toBe(2);
});
