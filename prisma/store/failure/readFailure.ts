import type { FailedExecution } from '../../../domain/execution/failureReport.ts';
import type { StoredSecret } from '../../../domain/execution/keptSecret.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { SECRETS_SQL } from '../execution/secrets.ts';
import { isoTime } from '../resource.ts';

/** Undefined if the execution was deleted. */
export async function readFailure(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<FailedExecution | undefined> {
  // The step that ended it: outside loops, and its node does not catch the failure.
  const step = Prisma.sql`(
    SELECT json_build_object('nodeId', s.node_id, 'label', s.label, 'code', s.error ->> 'code',
      'message', s.error ->> 'message')
    FROM execution_steps s
    WHERE s.execution_id = t.id AND s.iteration = '' AND s.status = 'FAILED' AND t.status = 'FAILED'
      AND NOT EXISTS (
        SELECT FROM workflow_versions v, jsonb_array_elements(v.definition -> 'nodes') n
        WHERE v.id = t.version_id AND n ->> 'id' = s.node_id AND n ->> 'onError' IN ('continue', 'route'))
    ORDER BY s.stopped_at DESC, s.position DESC LIMIT 1)`;
  const [row] = await database.$queryRaw<(Omit<FailedExecution, 'secrets'> & { secrets: StoredSecret[] })[]>`
    SELECT t.id, t.number, t.workflow_id AS "workflowId", t.name AS "workflowName", t.status,
      t.status_message AS "statusMessage", ${isoTime(Prisma.sql`t.started_at`)} AS "startedAt",
      ${isoTime(Prisma.sql`t.stopped_at`)} AS "stoppedAt", t.retry_of_id AS "retryOf",
      t.parent_execution_id AS "parentExecutionId", t.request_id AS "requestId", t.trace, t.trigger,
      (SELECT v.definition #>> '{trigger,type}' FROM workflow_versions v WHERE v.id = t.version_id) AS "triggerType",
      ${step} AS error, ${SECRETS_SQL} AS secrets
    FROM executions t WHERE t.id = ${executionId}::uuid AND t.workspace_id = ${workspaceId}::uuid`;
  return row && { ...row, secrets: database.revealSecrets(row.secrets) };
}
