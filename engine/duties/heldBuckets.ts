import { ALL_BUCKETS } from '../../domain/buckets.ts';

/** The buckets of workspaces for which this process does a duty now; other processes have the others. */
export interface HeldBuckets {
  list(): readonly number[];
  /** Whether the bucket of the workspace is one of them. */
  has(workspaceId: string): boolean;
}

/** For a process that does a duty alone. */
export const EVERY_BUCKET: HeldBuckets = { list: () => ALL_BUCKETS, has: () => true };
