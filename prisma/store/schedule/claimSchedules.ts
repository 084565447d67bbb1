import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { type DueCondition, inBuckets } from '../dueRows.ts';

export interface ClaimedSchedule {
  workflowId: string;
  workspaceId: string;
  /** Counts the workflow's changes. */
  revision: number;
  isStale: boolean;
  /** The last schedule in the engine; null: none. */
  applied: string | null;
}

/** How long a claim lasts if its holder dies: longer than all calls to the engine together. */
const CLAIM_SECONDS = 30;

const due = (checkAgeMs: number, buckets: readonly number[]) => Prisma.sql`(revision <> applied_revision
              OR checked_at < now() - make_interval(secs => ${checkAgeMs / 1_000}::float8))
            AND claimed_until <= now() + interval '1 millisecond' AND ${inBuckets(buckets)}`;

export const anyDueSchedule = (checkAgeMs: number, buckets: readonly number[]): DueCondition =>
  Prisma.sql`EXISTS (SELECT FROM workflow_schedules WHERE ${due(checkAgeMs, buckets)})`;

/**
 * Schedules to synchronize: that of one workflow, or those of these buckets that changed or were not checked for
 * `checkAgeMs`. The caller must release each. A schedule that the engine refused waits.
 */
export async function claimSchedules(
  database: Database,
  which:
    | { workspaceId: string; workflowId: string }
    | { checkAgeMs: number; buckets: readonly number[]; limit: number },
): Promise<ClaimedSchedule[]> {
  const rows =
    'workflowId' in which
      ? Prisma.sql`workflow_id = ${which.workflowId}::uuid AND workspace_id = ${which.workspaceId}::uuid
          AND revision <> applied_revision
          AND (claimed_until <= now() + interval '1 millisecond' OR error IS NOT NULL)`
      : Prisma.sql`workflow_id IN (
          SELECT workflow_id FROM workflow_schedules
          WHERE ${due(which.checkAgeMs, which.buckets)}
          ORDER BY claimed_until LIMIT ${which.limit} FOR UPDATE SKIP LOCKED)`;
  return database.$queryRaw<ClaimedSchedule[]>`
    UPDATE workflow_schedules SET claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS}), error = NULL
    WHERE ${rows}
    RETURNING workflow_id AS "workflowId", workspace_id AS "workspaceId", revision::float8 AS revision,
      revision <> applied_revision AS "isStale", applied`;
}

export async function isScheduleStale(database: Database, workspaceId: string, workflowId: string): Promise<boolean> {
  const rows = await database.$queryRaw<unknown[]>`
    SELECT 1 FROM workflow_schedules WHERE workflow_id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid
      AND revision <> applied_revision`;
  return rows.length > 0;
}
