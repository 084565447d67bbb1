import { ALL_BUCKETS } from '../../domain/buckets.ts';

/** The buckets of workspaces for which this process does a duty; other processes have the others. */
export interface HeldBuckets {
  list(): readonly number[];
  has(workspaceId: string): boolean;
}

export const EVERY_BUCKET: HeldBuckets = { list: () => ALL_BUCKETS, has: () => true };
