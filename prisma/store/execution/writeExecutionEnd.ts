import type { ExecutionEnd } from '../../../domain/execution/stepRecord.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { COUNTED_STATUS, ENDED } from './endedStatus.ts';
import { type Change, type Noted, notifyOf } from './recordProgress.ts';

/** Keeps the reason of a cancellation request. Undefined if it has ended or, with `only: 'held'`, is no longer held. */
export async function writeExecutionEnd(
  database: Database,
  workspaceId: string,
  executionId: string,
  end: ExecutionEnd,
  only?: 'held',
): Promise<Change | undefined> {
  const output = end.output === undefined ? null : JSON.stringify(end.output);
  const message =
    end.status === 'CANCELLED'
      ? Prisma.sql`coalesce(cancel_reason, ${end.statusMessage ?? null})`
      : Prisma.sql`${end.statusMessage ?? null}`;
  const [row] = await database.$queryRaw<(Omit<Change, 'executionId'> & Noted)[]>`
    WITH changed AS (
      UPDATE executions SET
        status = ${end.status}, status_message = ${message}, output = ${output}::jsonb,
        error_code = ${errorCodeOf(end)}, failed_node_id = ${end.failedNodeId ?? null},
        revision = revision + 1, updated_at = now(), stopped_at = now(), held = false
      WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid
        AND status NOT IN ${ENDED}
        ${only === 'held' ? Prisma.sql`AND held` : Prisma.empty}
      RETURNING id, workspace_id, revision, status, response IS NOT NULL AS responded, workflow_id, version_id, started_at, notice,
        followed_until
    ), steps AS (
      UPDATE execution_steps s SET status = 'CANCELLED', stopped_at = now(), wake_at = NULL FROM changed
      WHERE s.execution_id = changed.id AND s.status IN ('QUEUED', 'RUNNING', 'RETRYING', 'WAITING', 'NEEDS_INPUT')
      RETURNING ended_step(s.app_id, s.action_id, s.type, s.status, s.started_at, s.stopped_at) AS ended
    ), questions AS (
      UPDATE pending_inputs p SET status = 'CLOSED' FROM changed
      WHERE p.execution_id = changed.id AND p.status IN ('OPEN', 'SUBMITTED')
    )
    SELECT revision, status, responded, ${notifyOf(Prisma.sql`changed`)},
      jsonb_strip_nulls(jsonb_build_object('workflowId', workflow_id, 'end', ${COUNTED_STATUS},
        'lasted', extract(epoch FROM now() - started_at), 'steps', (SELECT jsonb_agg(ended) FROM steps))) AS noted
    FROM changed`;
  if (row?.noted) database.observer.progressed(row.noted);
  return row && { executionId, revision: row.revision, status: row.status, responded: row.responded };
}

/** A failure without a code comes from the engine, not from a step. */
function errorCodeOf({ status, errorCode }: ExecutionEnd): string | null {
  if (status === 'TIMED_OUT') return 'TIMED_OUT';
  return status === 'FAILED' ? (errorCode ?? 'INTERNAL') : null;
}
