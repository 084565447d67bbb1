import type { ProgressWrite } from './progressWrite.ts';

export interface GroupLimits {
  writes: number;
  /** Maximum bytes of their JSON; a larger write is sent alone. */
  bytes: number;
}

/** Allows only steps inside loops and ends of iterations, so that writes of the whole execution do not wait for them. */
export function mayShare(write: ProgressWrite): boolean {
  const { steps, iterations, inputRequests, inputsApplied, cancelled, response, end } = write;
  if (inputRequests?.length || inputsApplied?.length || cancelled || response || end) return false;
  return steps.length + (iterations?.length ?? 0) > 0 && steps.every(({ iteration }) => iteration !== '');
}

/** Returns how many of the first writes fit in one statement: at least one, and no step twice. */
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

export function joined(writes: readonly ProgressWrite[]): ProgressWrite {
  const iterations = writes.flatMap((write) => write.iterations ?? []);
  const steps = writes.flatMap((write) => write.steps);
  return iterations.length > 0 ? { steps, iterations } : { steps };
}
