export interface Block {
  /** Milliseconds of each request, in the order in which they ended. */
  latenciesMs: number[];
  elapsedMs: number;
}

/** Runs `work` `count` times, with `clients` sequential clients. The first failure fails the block. */
export async function runBlock(count: number, clients: number, work: () => Promise<unknown>): Promise<Block> {
  const latenciesMs: number[] = [];
  let begun = 0;
  async function client(): Promise<void> {
    while (begun < count) {
      begun += 1;
      const startedAt = performance.now();
      await work();
      latenciesMs.push(performance.now() - startedAt);
    }
  }
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: clients }, client));
  return { latenciesMs, elapsedMs: performance.now() - startedAt };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[sorted.length % 2 === 0 ? middle - 1 : middle];
  if (upper === undefined || lower === undefined) throw new Error('a median of nothing');
  return (lower + upper) / 2;
}

export function perSecond({ latenciesMs, elapsedMs }: Block): number {
  return (latenciesMs.length * 1_000) / elapsedMs;
}
