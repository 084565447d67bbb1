/** All workspaces are divided into this many parts by a hash of their id: workspace_bucket in SQL. */
const BUCKETS = 64;

/** A duty has at most one shard per bucket. */
export const MAX_SHARDS = BUCKETS;

export const ALL_BUCKETS: readonly number[] = Array.from({ length: BUCKETS }, (_, bucket) => bucket);

export function bucketOf(workspaceId: string): number {
  return Number.parseInt(workspaceId.slice(-2), 16) % BUCKETS;
}

export function bucketsOf(shards: readonly number[], count: number): number[] {
  const wanted = new Set(shards);
  return ALL_BUCKETS.filter((bucket) => wanted.has(bucket % count));
}
