import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Stack } from '../setup/stack/ownStack.ts';

const KINDS = ['main', 'database', 'temporal', 'databaseAway', 'temporalAway', 'databaseAndTemporal'] as const;
type Kind = (typeof KINDS)[number];

interface Kill {
  kind: Kind;
  pauseMs: number;
  awayMs: number;
}

// fast-check prefers small numbers by default.
const kills: fc.Arbitrary<Kill> = fc.record({
  kind: fc.constantFrom(...KINDS, 'main', 'main'),
  pauseMs: fc.noBias(fc.integer({ min: 300, max: 4_000 })),
  awayMs: fc.noBias(fc.integer({ min: 0, max: 4_000 })),
});

/** Maximum pause before the first kill, ms. After a longer one, the target may have ended. */
const FIRST_PAUSE_MS = 500;

export interface Killer {
  /** By process. */
  counts: Record<string, number>;
  /** Resolves when everything is up again. Rejects if something did not come up. */
  stop(): Promise<void>;
}

async function kill(stack: Stack, { kind, awayMs }: Kill): Promise<void> {
  switch (kind) {
    case 'main':
      await stack.killMain();
      await sleep(awayMs / 4);
      return stack.startAgain();
    case 'database':
      return stack.killDatabase();
    case 'temporal':
      return stack.killTemporal();
    case 'databaseAway':
      return stack.holdDatabaseDown(awayMs);
    case 'temporalAway':
      return stack.holdTemporalDown(awayMs);
    case 'databaseAndTemporal':
      await Promise.all([stack.killDatabase(), stack.killTemporal()]);
  }
}

/** Kills parts of the stack with -9, at moments derived from the seed, until it is stopped. */
export function startKiller(stack: Stack, seed: number): Killer {
  const counts: Record<string, number> = {};
  const stopping = new AbortController();
  const work = (async () => {
    for (let round = 0; ; round += 1) {
      const [next] = fc.sample(kills, { numRuns: 1, seed: seed + round });
      if (!next) throw new Error('no kill was drawn');
      const pauseMs = round === 0 ? Math.min(next.pauseMs, FIRST_PAUSE_MS) : next.pauseMs;
      const goesOn = await sleep(pauseMs, true, { signal: stopping.signal }).catch(() => false);
      if (!goesOn) return;
      await kill(stack, next);
      counts[next.kind] = (counts[next.kind] ?? 0) + 1;
    }
  })();
  // The caller of stop gets the error.
  work.catch(() => undefined);
  return {
    counts,
    stop() {
      stopping.abort();
      return work;
    },
  };
}
