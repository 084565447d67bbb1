import { LRUCache } from 'lru-cache';
import type { RunContext } from '../prisma/store/execution/runContext.ts';

const KEPT_MS = 2_000;
const MOST_BYTES = 33_554_432;
/** Larger ones are read again: a copy in memory would cost more than the statement. */
const LARGEST_BYTES = 262_144;

/** The top of an execution, or one iteration of a loop (domain/execution/iteration.ts). */
interface Scope {
  executionId: string;
  iteration?: string;
}

/**
 * What the process that runs an execution has just written of it, for the next region or action that it runs: that
 * one need not read it. A context in here knows every step of its scope up to a revision of the row, and is given
 * out for that revision alone: what another branch or another worker has written since, it would lack. It is given
 * out once: whatever runs a second time reads the rows.
 */
export class ContextHandoff {
  readonly #contexts = new LRUCache<string, { revision: number; context: RunContext }>({
    ttl: KEPT_MS,
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_BYTES,
    sizeCalculation: ({ context }) => JSON.stringify(context).length,
  });

  put(scope: Scope, revision: number, context: RunContext): void {
    this.#contexts.set(keyOf(scope), { revision, context });
  }

  take(scope: Scope, revision: number): RunContext | undefined {
    const key = keyOf(scope);
    const kept = this.#contexts.get(key);
    this.#contexts.delete(key);
    return kept?.revision === revision ? kept.context : undefined;
  }
}

function keyOf({ executionId, iteration = '' }: Scope): string {
  return `${executionId}/${iteration}`;
}
