import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { type DueCondition, inBuckets } from '../dueRows.ts';

export interface HeldWorkflow {
  workspaceId: string;
  workflowId: string;
}

/** Selects workflows with held executions and free capacity; reads one index entry of held executions per workflow. */
function releasable(buckets: readonly number[]): Prisma.Sql {
  return Prisma.sql`
    WITH RECURSIVE lines AS (
      (SELECT workspace_id, workflow_id FROM executions WHERE held ORDER BY workflow_id LIMIT 1)
      UNION ALL
      SELECT n.* FROM lines l CROSS JOIN LATERAL (
        SELECT workspace_id, workflow_id FROM executions e
        WHERE e.held AND e.workflow_id > l.workflow_id ORDER BY e.workflow_id LIMIT 1) n
    )
    SELECT l.workspace_id AS "workspaceId", l.workflow_id AS "workflowId"
    FROM lines l JOIN (
      SELECT id, is_paused, max_concurrent FROM workflows UNION ALL SELECT id, false, max_concurrent FROM deleted_workflows
    ) w ON w.id = l.workflow_id
    WHERE ${inBuckets(buckets, Prisma.sql`l.workspace_id`)}
      AND NOT w.is_paused AND (w.max_concurrent IS NULL OR w.max_concurrent > (
        SELECT count(*) FROM executions e
        WHERE e.workflow_id = l.workflow_id AND e.limited AND NOT e.held AND e.stopped_at IS NULL))`;
}

export const anyReleasable = (buckets: readonly number[]): DueCondition => Prisma.sql`EXISTS (${releasable(buckets)})`;

/** Finds workflows with executions that a process should have released before it died. */
export async function releasableWorkflows(
  database: Database,
  buckets: readonly number[],
  limit: number,
): Promise<HeldWorkflow[]> {
  // Raw: it goes from workflow to workflow in the index.
  return database.$queryRaw<HeldWorkflow[]>`${releasable(buckets)} LIMIT ${limit}::int`;
}
