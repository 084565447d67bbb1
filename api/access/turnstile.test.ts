import { expect, test } from 'vitest';
import { createTurnstile } from './turnstile.ts';

test('no more than its size runs at a time, in order, also after a failure', async () => {
  const pass = createTurnstile(2);
  const done: number[] = [];
  let running = 0;
  let most = 0;
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((index) =>
      pass(async () => {
        running++;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        done.push(index);
        if (index === 1) throw new Error('refused');
        return index;
      }),
    ),
  );
  expect(most).toBe(2);
  expect(done).toEqual([0, 1, 2, 3, 4, 5]);
  expect(results.filter((result) => result.status === 'rejected')).toHaveLength(1);
  await expect(pass(async () => 'again')).resolves.toBe('again');
});
