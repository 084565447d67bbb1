import { Problem } from '../../domain/problem.ts';

/** More changes of one row at once than people and workflows make. */
const MAX_TRIES = 100;

/**
 * Optimistic concurrency: repeats `attempt` (read, check, write) while it returns undefined because of a concurrent
 * change. One of several concurrent attempts succeeds each time. Throws CONFLICT if no try succeeds.
 */
export async function retryOnConflict<Outcome>(
  noun: string,
  attempt: () => Promise<Outcome | undefined>,
): Promise<Outcome> {
  for (let tried = 0; tried < MAX_TRIES; tried++) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
  }
  throw new Problem('CONFLICT', `The ${noun} was changed by others ${MAX_TRIES} times in a row`, { retryAfter: 1 });
}
