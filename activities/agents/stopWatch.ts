import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import { isStopRequested } from '../../prisma/store/turn/runState.ts';
import type { ActivityServices } from '../services.ts';

/**
 * A stop arrives by the change feed, by a write of chunks that finds the request, or by cancellation in a heartbeat.
 */
export class StopWatch {
  readonly #controller = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #own = new Set<number>();
  #isFinal = false;

  constructor({ database, feed, log }: ActivityServices, { workspaceId, runId }: TurnRef, cancelled: AbortSignal) {
    cancelled.addEventListener('abort', () => this.#controller.abort(), { once: true });
    if (cancelled.aborted) this.#controller.abort();
    this.#unsubscribe = feed.subscribe(runId, ({ revision }) => {
      if (this.#own.delete(revision)) return;
      isStopRequested(database, workspaceId, runId).then(
        (isAsked) => {
          if (isAsked) this.now();
        },
        // The feed reports again, and each write of chunks also checks.
        (error: unknown) => log.warn({ err: error, runId }, 'whether a turn is to stop could not be read'),
      );
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /** True if the call must not be repeated: a person stopped the turn, or its writes are obsolete. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** Ignores a revision that this call has written itself. */
  knows(revision: number): void {
    this.#own.add(revision);
  }

  now(): void {
    this.#isFinal = true;
    this.#controller.abort();
  }

  close(): void {
    this.#unsubscribe();
  }
}
