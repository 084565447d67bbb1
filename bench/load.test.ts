import { expect, test } from '@jest/globals';
import { median, perSecond, runBlock } from './load.ts';

test('a median is the middle one, or the mean of both in the middle', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([10, 2, 9, 1])).toBe(5.5);
  expect(median([7])).toBe(7);
  expect(() => median([])).toThrow('a median of nothing');
});

test('a block does its count, by so many at once', async () => {
  let open = 0;
  let most = 0;
  const block = await runBlock(25, 4, async () => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((done) => setImmediate(done));
    open -= 1;
  });
  expect(block.latenciesMs).toHaveLength(25);
  expect(most).toBe(4);
  expect(perSecond({ latenciesMs: [1, 1, 1], elapsedMs: 500 })).toBe(6);
});

test('a failed request fails its block', async () => {
  await expect(runBlock(3, 1, () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
});
