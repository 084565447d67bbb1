import { Problem } from '../../domain/problem.ts';

export interface TurnstileLimits {
  /** Pieces of work at a time. */
  size: number;
  /** Most waiting calls; further ones are refused, because their callers would leave before their turn. */
  mostWaiting: number;
}

export type Turnstile = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/**
 * Lets at most `size` pieces of work run at a time; the others wait in their order. Throws RATE_LIMITED where the line is
 * full, and where `signal` aborts before it is its turn: that one leaves the line, and nobody reads the answer.
 */
export function createTurnstile({ size, mostWaiting }: TurnstileLimits): Turnstile {
  let free = size;
  const waiting = new Set<() => void>();

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(go);
        reject(new Problem('RATE_LIMITED', 'The caller closed the connection while its login waited'));
      };
      waiting.add(go);
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
    });
  }

  return async (signal, work) => {
    if (free > 0) free--;
    else if (waiting.size < mostWaiting) await turn(signal);
    else throw new Problem('RATE_LIMITED', 'Too many logins are waiting; try again in a moment', { retryAfter: 1 });
    try {
      return await work();
    } finally {
      // The place goes directly to the next waiting call, so that a new call cannot overtake it.
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else {
        free++;
      }
    }
  };
}
