import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import { isStopRequested } from '../../prisma/store/turn/runState.ts';
import type { ActivityServices } from '../services.ts';

/**
 * Hears that a turn is to stop, whichever way comes first: the change feed (any process asks in the row), a write of chunks that
 * finds the request, or the engine's cancellation by heartbeat.
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
        // The feed comes again, and each write of chunks asks too.
        (error: unknown) => log.warn({ err: error, runId }, 'whether a turn is to stop could not be read'),
      );
    });
  }

  /** Aborts the call of the provider. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get isStopped(): boolean {
    return this.#controller.signal.aborted;
  }

  /** The call is not made again: a person stops the turn, or what the call writes counts no more. Otherwise it is the engine's. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  /** A revision that this call has written itself, which says nothing new. */
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
