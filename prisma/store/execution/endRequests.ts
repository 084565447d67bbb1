import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { anyDue, claimableIds, type DueCondition, type DueRows } from '../dueRows.ts';
import { COUNTED_STATUS, ENDED } from './endedStatus.ts';
import { type Noted, notifyOf } from './recordProgress.ts';

/** `cancel` lets running steps stop; `terminate` does not wait for them. */
export type EndHow = 'cancel' | 'terminate';

export interface EndRequestRow {
  status: ExecutionStatus;
  revision: number;
  responded: boolean;
  workflowId: string | null;
  limited: boolean;
  /** This request ended it before it began. */
  endedNow: boolean;
  /** The engine has nothing of it. */
  isOnlyHeld: boolean;
  /** A termination replaces a cancellation, but not the reverse. */
  how: EndHow;
}

/** A process that takes a request has this long to deliver it. */
const SETTLING = '5 seconds';

/**
 * The strongest `how`, the first time and the first reason count. An execution that has not begun ends in the same
 * statement, so that no start finds it open. After `end_due_at` a sweep delivers the request to the engine.
 */
export async function writeEndRequest(
  database: Database,
  workspaceId: string,
  executionId: string,
  { how, reason }: { how: EndHow; reason: string },
): Promise<EndRequestRow | undefined> {
  const ends = Prisma.sql`status = 'PENDING'`;
  const [row] = await database.$queryRaw<(EndRequestRow & Noted)[]>`
    WITH asked AS (
      UPDATE executions SET
        cancel_reason = coalesce(cancel_reason, ${reason}),
        end_requested = CASE WHEN end_requested = 'terminate' THEN end_requested ELSE ${how} END,
        end_requested_at = coalesce(end_requested_at, now()),
        end_due_at = CASE WHEN held AND starter_id IS NULL AND ${ends} THEN NULL ELSE now() + ${SETTLING}::interval END,
        status = CASE WHEN ${ends} THEN 'CANCELLED' ELSE status END,
        status_message = CASE WHEN ${ends} THEN coalesce(cancel_reason, ${reason}) ELSE status_message END,
        stopped_at = CASE WHEN ${ends} THEN now() END,
        updated_at = CASE WHEN ${ends} THEN now() ELSE updated_at END,
        revision = CASE WHEN ${ends} THEN revision + 1 ELSE revision END,
        held = CASE WHEN ${ends} THEN false ELSE held END
      WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND status NOT IN ${ENDED}
      RETURNING id, workspace_id, status, revision, response IS NOT NULL AS responded, workflow_id, version_id, limited, notice,
        followed_until, started_at, stopped_at IS NOT NULL AS ended_now, end_due_at IS NULL AS only_held, end_requested
    ), steps AS (
      UPDATE execution_steps s SET status = 'CANCELLED', stopped_at = now(), wake_at = NULL FROM asked
      WHERE s.execution_id = asked.id AND asked.ended_now
        AND s.status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT')
      RETURNING ended_step(s.app_id, s.action_id, s.type, s.status, s.started_at, s.stopped_at) AS ended
    )
    SELECT status, revision, responded, workflow_id AS "workflowId", limited, ended_now AS "endedNow",
      only_held AS "isOnlyHeld", end_requested AS how,
      (SELECT ${notifyOf(Prisma.sql`asked`)} WHERE ended_now) AS notified,
      CASE WHEN ended_now THEN jsonb_strip_nulls(jsonb_build_object('workflowId', workflow_id, 'end', ${COUNTED_STATUS},
        'lasted', extract(epoch FROM now() - started_at), 'steps', (SELECT jsonb_agg(ended) FROM steps))) END AS noted
    FROM asked
    UNION ALL
    SELECT status, revision, false, workflow_id, limited, false, false, ${how}, NULL, NULL FROM executions
    WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND NOT EXISTS (SELECT FROM asked)`;
  if (row?.noted) database.observer.progressed(row.noted);
  return row;
}

export interface DueEnd {
  executionId: string;
  workspaceId: string;
  workflowId: string | null;
  status: ExecutionStatus;
  limited: boolean;
  how: EndHow;
}

const DUE_ENDS: DueRows = {
  table: Prisma.sql`executions`,
  waiting: Prisma.sql`end_due_at IS NOT NULL`,
  time: Prisma.sql`end_due_at`,
  until: Prisma.sql`now()`,
};

export const anyDueEnd = (buckets: readonly number[]): DueCondition => anyDue(DUE_ENDS, buckets);

/** Claims the oldest first. Each is due again after SETTLING. */
export async function claimDueEnds(database: Database, buckets: readonly number[], limit: number): Promise<DueEnd[]> {
  return database.$queryRaw<DueEnd[]>`
    UPDATE executions SET end_due_at = now() + ${SETTLING}::interval
    WHERE id = ANY (${claimableIds(DUE_ENDS, buckets, limit)})
    RETURNING id AS "executionId", workspace_id AS "workspaceId", workflow_id AS "workflowId", status, limited,
      end_requested AS how`;
}

/** Marks the request as delivered. If a stronger one replaced it meanwhile, that one stays due. */
export async function noteEndDelivered(
  database: Database,
  workspaceId: string,
  executionId: string,
  how: EndHow,
): Promise<void> {
  await database.execution.updateMany({
    where: { id: executionId, workspaceId, endRequested: how },
    data: { endDueAt: null },
  });
}
