import { expect, test } from '@jest/globals';
import { offersOf } from './itemOffers.ts';

test.each([
  ['PENDING', 0, ['PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED', 'remove']],
  ['PROCESSING', 0, ['COMPLETED', 'FAILED', 'RETRYING', 'PENDING', 'CANCELLED']],
  ['PROCESSING', 3, ['COMPLETED', 'FAILED', 'PENDING', 'CANCELLED']],
  ['RETRYING', 1, ['PROCESSING', 'FAILED', 'CANCELLED', 'remove']],
  ['FAILED', 1, ['RETRYING', 'requeue', 'CANCELLED', 'remove']],
  ['FAILED', 3, ['requeue', 'CANCELLED', 'remove']],
  ['CANCELLED', 0, ['requeue', 'remove']],
  ['COMPLETED', 0, ['remove']],
] as const)('of an item that is %s after %i of 3 retries', (status, retryCount, offers) => {
  expect(offersOf({ status, retryCount, maxRetries: 3 })).toEqual(offers);
});
