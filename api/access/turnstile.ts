import { Problem } from '../../domain/problem.ts';
import { FairPlaces } from '../../engine/fairness/fairPlaces.ts';

export interface TurnstileLimits {
  size: number;
  /** Maximum waiting calls. Further ones are refused, because their callers would leave before their turn. */
  maxWaiting: number;
}

export type Turnstile = <T>(who: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Longer than the whole line takes. */
const PATIENCE_MS = 60_000;

/**
 * A caller gets at most half of the places and of the line, and the caller with the fewest running is next. Throws
 * RATE_LIMITED if the line is full, or if `signal` aborts while waiting.
 */
export function createTurnstile({ size, maxWaiting }: TurnstileLimits): Turnstile {
  const places = new FairPlaces(size, { waiting: maxWaiting, patienceMs: PATIENCE_MS });
  return async (who, signal, work) => {
    if (!(await places.enter(who, signal))) {
      throw signal.aborted
        ? new Problem('RATE_LIMITED', 'The caller closed the connection while its login was waiting')
        : new Problem('RATE_LIMITED', 'Too many logins are waiting; try again in a moment', { retryAfter: 1 });
    }
    try {
      return await work();
    } finally {
      places.leave(who);
    }
  };
}
