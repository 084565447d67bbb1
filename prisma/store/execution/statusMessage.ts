import { Prisma } from '../../generated/client.ts';

/**
 * `statusMessage` of the row `t`. What holds an execution may change while it waits (a pause, another limit), so it is
 * told as it is at the read.
 */
export const STATUS_MESSAGE = Prisma.sql`CASE WHEN t.held THEN coalesce((
    SELECT CASE
      WHEN w.is_paused THEN 'Held: the workflow is paused'
      WHEN w.max_concurrent IS NOT NULL THEN 'Held: ' || (
        SELECT count(*) FROM executions o
        WHERE o.workflow_id = w.id AND o.limited AND NOT o.held AND o.stopped_at IS NULL
      ) || ' of ' || w.max_concurrent || ' executions run' END
    FROM workflows w WHERE w.id = t.workflow_id), 'Held: its turn comes')
  ELSE t.status_message END`;
