import { TERMINAL_STATUSES } from '../../../domain/execution/status.ts';
import { Prisma } from '../../generated/client.ts';

/** A list for `IN` and `NOT IN`. Literals, because only they match the partial indexes of the migrations. */
export const ENDED = Prisma.raw(`(${TERMINAL_STATUSES.map((status) => `'${status}'`).join(', ')})`);
