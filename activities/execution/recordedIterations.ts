import type { Failure } from '../../domain/execution/outcome.ts';
import {
  type IterationRange,
  type RecordedIteration,
  readIterations,
} from '../../prisma/store/execution/iterations.ts';
import type { ActivityServices } from '../services.ts';
import { tooLarge } from './stepSettlement.ts';

/** Postgres writes JSON with spaces: what is within the limit without them has less than twice as many bytes there. */
const SPACES = 2;

export type RecordedIterations = { iterations: RecordedIteration[] } | { failure: Failure };

/**
 * Iterations for the output of their loop, or why they cannot be it. A thousand outputs, each within its limit, would take
 * a worker's memory, and then that of the next one: so what is far too large is not read.
 */
export async function recordedIterations(
  { config, database }: Pick<ActivityServices, 'config' | 'database'>,
  range: IterationRange,
): Promise<RecordedIterations> {
  const most = config.MAX_OUTPUT_BYTES;
  const read = await readIterations(database, range, SPACES * most);
  return 'bytes' in read ? { failure: tooLarge(read.bytes, most) } : { iterations: read };
}
