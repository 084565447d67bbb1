import { expect, test } from '@jest/globals';
import { ALL_BUCKETS, bucketOf, bucketsOf } from './buckets.ts';

test.each([1, 3, 16, 64])('each bucket is in one of %i shards', (count) => {
  const shards = Array.from({ length: count }, (_, shard) => bucketsOf([shard], count));
  expect(shards.flat().sort((one, other) => one - other)).toEqual(ALL_BUCKETS);
  expect(bucketsOf([], count)).toEqual([]);
});

test('a workspace is in the bucket of the last six bits of its id', () => {
  expect(bucketOf('01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f')).toBe(0x5f & 63);
  expect(bucketOf('00000000-0000-4000-8000-0000000000FF')).toBe(63);
});
