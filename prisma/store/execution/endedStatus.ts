import { TERMINAL_STATUSES } from '../../../domain/execution/status.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * The statuses of ended executions, as a list for `IN` and `NOT IN`. Literals: a parameter would fit no partial index, whose
 * conditions in the migrations have the same words.
 */
export const ENDED = Prisma.raw(`(${TERMINAL_STATUSES.map((status) => `'${status}'`).join(', ')})`);
