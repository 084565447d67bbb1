import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { priorityBand } from './itemStatus.ts';
import { afterError, retriesRemain, rulesOf } from './retryRules.ts';

const rules = fc.record({ maxRetries: fc.nat(20), retryDelayMinutes: fc.nat(10_000) });

test("an item's own rules go before the queue's, zero too", () => {
  const queue = { maxRetries: 3, retryDelayMinutes: 5 };
  expect(rulesOf({ maxRetries: null, retryDelayMinutes: null }, queue)).toEqual(queue);
  expect(rulesOf({ maxRetries: 0, retryDelayMinutes: 0 }, queue)).toEqual({ maxRetries: 0, retryDelayMinutes: 0 });
});

test('errors one after the other: maxRetries of them retry, the next one fails', () => {
  fc.assert(
    fc.property(rules, (given) => {
      let retryCount = 0;
      let errors = 0;
      for (;;) {
        const after = afterError(retryCount, given, 1_000);
        errors += 1;
        if (after.status === 'FAILED') break;
        expect(after.nextRetryAt).toBe(1_000 + given.retryDelayMinutes * 60_000);
        retryCount = after.retryCount;
      }
      expect(errors).toBe(given.maxRetries + 1);
      expect(retriesRemain(retryCount, given)).toBe(false);
    }),
  );
});

test('bands of priorities', () => {
  expect([-1, 0, 9, 10, 99, 100].map(priorityBand)).toEqual(['low', 'normal', 'normal', 'high', 'high', 'critical']);
});
