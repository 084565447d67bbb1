/** The number of parts that all workspaces are in, by the hash of each: workspace_bucket in the database. */
const BUCKETS = 64;

/** A duty has at most one shard for each bucket. */
export const MAX_SHARDS = BUCKETS;

/** Every bucket: all workspaces. */
export const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket);

/** The bucket of a workspace, 0 to 63. */
export function bucketOf(workspaceId: string): number {
  return Number.parseInt(workspaceId.slice(-2), 16) % BUCKETS;
}

/** The buckets of these shards, of `count` in all. Every bucket is in one shard. */
export function bucketsOf(shards: readonly number[], count: number): number[] {
  const wanted = new Set(shards);
  return ALL_BUCKETS.filter((bucket) => wanted.has(bucket % count));
}
