import { LRUCache } from 'lru-cache';
import type { RunContext } from '../../prisma/store/execution/runContext.ts';

const KEPT_MS = 2_000;
const MAX_BYTES = 33_554_432;
/** Executions that began in this process in the last seconds, at most. */
const MAX_BEGUN = 10_000;
/** Larger ones are read again: a copy in memory would cost more than the statement. */
const MAX_ENTRY_BYTES = 262_144;

/** The top of an execution, or one iteration of a loop (domain/execution/iteration.ts). */
interface Scope {
  executionId: string;
  iteration?: string;
}

/**
 * Keeps the context that this process has just written for an execution, so that its next region or action need not
 * read it. A context contains every step of its scope up to a revision of the row and is handed out for that revision
 * only, because it lacks later writes of other branches and workers. It is handed out once: a repeated activity reads
 * the rows.
 */
export class ContextHandoff {
  readonly #contexts = new LRUCache<string, { revision: number; context: RunContext }>({
    ttl: KEPT_MS,
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ context }) => JSON.stringify(context).length,
  });

  /** A first step that is quick has no row yet. */
  readonly #begun = new LRUCache<string, true>({ max: MAX_BEGUN, ttl: KEPT_MS });

  put(scope: Scope, revision: number, context: RunContext): void {
    this.#contexts.set(keyOf(scope), { revision, context });
  }

  take(scope: Scope, revision: number): RunContext | undefined {
    const key = keyOf(scope);
    const kept = this.#contexts.get(key);
    this.#contexts.delete(key);
    if (kept && kept.revision === 0) this.#begun.set(scope.executionId, true);
    return kept?.revision === revision ? kept.context : undefined;
  }

  /** Takes the first context of an execution back, so that its first step reads the row. False if that step has it. */
  withdraw(executionId: string): boolean {
    this.#contexts.delete(keyOf({ executionId }));
    return !this.#begun.has(executionId);
  }
}

function keyOf({ executionId, iteration = '' }: Scope): string {
  return `${executionId}/${iteration}`;
}
