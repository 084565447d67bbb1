import { TERMINAL_STATUSES } from '../../../domain/execution/status.ts';
import { Prisma } from '../../generated/client.ts';

/** A list for `IN` and `NOT IN`. Literals, because only they match the partial indexes of the migrations. */
export const ENDED = Prisma.raw(`(${TERMINAL_STATUSES.map((status) => `'${status}'`).join(', ')})`);

/** For metrics, which leave tests of drafts out: the status of a row with `workflow_id` and `version_id`. */
export const COUNTED_STATUS = Prisma.sql`CASE WHEN workflow_id IS NULL OR version_id IS NOT NULL THEN status END`;
