/** Wait before the clock starts, so that nothing else is running. */
export const SETTLE_MS = 300;

export function now(): number {
  return performance.timeOrigin + performance.now();
}

export async function timed<Value>(work: () => Promise<Value>): Promise<{ tookMs: number; value: Value }> {
  const startedAt = performance.now();
  const value = await work();
  return { tookMs: performance.now() - startedAt, value };
}
