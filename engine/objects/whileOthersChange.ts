import { Problem } from '../../domain/problem.ts';

/** More changes of one row at once than people and workflows make. */
const MOST_TRIES = 100;

/**
 * Reads, checks and writes by what was read, until nobody has changed it in between: `attempt` answers undefined where
 * somebody has. Of several at once, one gets through each time. Throws CONFLICT where none of the tries did.
 */
export async function whileOthersChange<Outcome>(
  noun: string,
  attempt: () => Promise<Outcome | undefined>,
): Promise<Outcome> {
  for (let tried = 0; tried < MOST_TRIES; tried++) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
  }
  throw new Problem('CONFLICT', `The ${noun} was changed by others ${MOST_TRIES} times in a row`, { retryAfter: 1 });
}
