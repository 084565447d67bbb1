import type { ProgressWrite } from './progressWrite.ts';

/** Bounds of one statement that writes for several. */
export interface GroupLimits {
  writes: number;
  /** Maximum bytes of their JSON; a larger write is sent by itself. */
  bytes: number;
}

/**
 * Whether it may share a statement with other writes of its execution: it contains only steps inside loops and ends of
 * iterations. Writes of the whole execution do not wait for iterations.
 */
export function mayShare(write: ProgressWrite): boolean {
  const { steps, iterations, inputRequests, inputsApplied, cancelled, response, end } = write;
  if (inputRequests?.length || inputsApplied?.length || cancelled || response || end) return false;
  return steps.length + (iterations?.length ?? 0) > 0 && steps.every(({ iteration }) => iteration !== '');
}

/** How many writes, from the first on, go into one statement: it takes no step twice, and at least one write. */
export function groupSize(writes: readonly ProgressWrite[], limits: GroupLimits): number {
  if (writes.length < 2) return writes.length;
  const taken = new Set<string>();
  let bytes = 0;
  const most = Math.min(writes.length, limits.writes);
  for (let size = 0; size < most; size += 1) {
    const write = writes[size] as ProgressWrite;
    const keys = write.steps.map(({ nodeId, iteration }) => `${iteration}/${nodeId}`);
    bytes += JSON.stringify(write).length;
    if (size > 0 && (bytes > limits.bytes || keys.some((key) => taken.has(key)))) return size;
    for (const key of keys) taken.add(key);
  }
  return most;
}

/** All of them as one write, in their order. */
export function joined(writes: readonly ProgressWrite[]): ProgressWrite {
  const iterations = writes.flatMap((write) => write.iterations ?? []);
  const steps = writes.flatMap((write) => write.steps);
  return iterations.length > 0 ? { steps, iterations } : { steps };
}
