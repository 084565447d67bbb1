import { Problem } from '../../domain/problem.ts';
import { FairPlaces } from '../../engine/fairness/fairPlaces.ts';

export interface TurnstileLimits {
  /** Pieces of work at a time. */
  size: number;
  /** Most waiting calls; further ones are refused, because their callers would leave before their turn. */
  mostWaiting: number;
}

/** Runs the work of somebody, known by a text, once it is their turn. */
export type Turnstile = <T>(who: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Longer than the whole line takes. */
const PATIENCE_MS = 60_000;

/**
 * Lets at most `size` pieces of work run at a time; the others wait. Places and line are shared fairly: somebody with many calls takes
 * half of them at most, and who has fewest at work is next, so that nobody is kept out by the calls of others. Throws RATE_LIMITED
 * where the line is full, and where `signal` aborts before it is its turn: that one leaves the line, and nobody reads the answer.
 */
export function createTurnstile({ size, mostWaiting }: TurnstileLimits): Turnstile {
  const places = new FairPlaces(size, { waiting: mostWaiting, patienceMs: PATIENCE_MS });
  return async (who, signal, work) => {
    if (!(await places.enter(who, signal))) {
      throw signal.aborted
        ? new Problem('RATE_LIMITED', 'The caller closed the connection while its login waited')
        : new Problem('RATE_LIMITED', 'Too many logins are waiting; try again in a moment', { retryAfter: 1 });
    }
    try {
      return await work();
    } finally {
      places.leave(who);
    }
  };
}
