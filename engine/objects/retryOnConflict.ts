import { Problem } from '../../domain/problem.ts';

/** More concurrent changes of one row than people and workflows make. */
const MAX_TRIES = 100;

/** Repeats `attempt` while it returns undefined after a concurrent change. Throws CONFLICT after MAX_TRIES. */
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
