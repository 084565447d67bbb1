import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CALL_PARTS } from './embeddingCalls.ts';
import { BATCHES_AT_ONCE, batchesOf, nextTry } from './ingestion.ts';

test('batches have each part once, in order, and differ by one call at most', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30_000 }), (parts) => {
      const batches = batchesOf(parts);
      expect(batches.length).toBeLessThanOrEqual(BATCHES_AT_ONCE);
      expect(batches[0]?.from).toBe(1);
      expect(batches.at(-1)?.to).toBe(parts + 1);
      for (const [index, { from, to }] of batches.entries()) {
        expect(to).toBeGreaterThan(from);
        if (index > 0) expect(from).toBe(batches[index - 1]?.to);
      }
      const calls = batches.map(({ from, to }) => Math.ceil((to - from) / CALL_PARTS));
      expect(calls.reduce((sum, each) => sum + each, 0)).toBe(Math.ceil(parts / CALL_PARTS));
      if (parts > CALL_PARTS) expect(Math.max(...calls) - Math.min(...calls)).toBeLessThanOrEqual(1);
    }),
  );
});

test('tries are counted from the last progress; pauses double up to a minute, unless the provider asks for more', () => {
  expect(nextTry(1, { hasProgressed: false })).toEqual({ attempt: 2, pauseMs: 1_000 });
  expect(nextTry(4, { hasProgressed: false })).toEqual({ attempt: 5, pauseMs: 8_000 });
  expect(nextTry(29, { hasProgressed: false, afterMs: 5_000 })).toEqual({ attempt: 30, pauseMs: 60_000 });
  expect(nextTry(4, { hasProgressed: false, afterMs: 90_000 })).toEqual({ attempt: 5, pauseMs: 90_000 });
  expect(nextTry(30, { hasProgressed: true })).toEqual({ attempt: 2, pauseMs: 1_000 });
});
