import type { Labels } from '../../../domain/execution/labels.ts';
import type { EarlierStep } from '../../../domain/execution/resume.ts';
import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';

export interface LiveRetry {
  id: string;
  status: ExecutionStatus;
}

export interface RetrySource {
  executionId: string;
  status: ExecutionStatus;
  name: string;
  source: 'WORKFLOW' | 'SDK';
  /** Null for an ad-hoc run. */
  workflowId: string | null;
  projectId: string | null;
  /** Null if it has its own definition: an ad-hoc run, or a test of a draft. */
  versionId: string | null;
  /** Its workflow was deleted. */
  isOrphan: boolean;
  timeoutMs: number | null;
  trigger: Json;
  labels: Labels | null;
  /** It has not taken over all iterations of the execution before it. */
  takesOver: boolean;
  /** The open retry of it, otherwise the newest COMPLETED one. */
  liveRetry: LiveRetry | null;
  steps: EarlierStep[];
}

export async function readRetrySource(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<RetrySource | undefined> {
  const [row] = await database.$queryRaw<RetrySource[]>`
    SELECT e.id AS "executionId", e.status, e.name, e.source, e.workflow_id AS "workflowId",
      e.project_id AS "projectId", e.version_id AS "versionId", e.workflow_id IS NOT NULL AND w.id IS NULL AS "isOrphan",
      w.timeout_ms::float8 AS "timeoutMs", e.trigger, e.labels, e.take_over IS NOT NULL AS "takesOver",
      (SELECT json_build_object('id', l.id, 'status', l.status) FROM live_retry(e.workspace_id, e.id) l) AS "liveRetry", (
        SELECT COALESCE(jsonb_agg(jsonb_build_object('nodeId', s.node_id, 'status', s.status, 'handle', s.handle)), '[]')
        FROM execution_steps s WHERE s.execution_id = e.id AND s.iteration = '') AS steps
    FROM executions e LEFT JOIN workflows w ON w.id = e.workflow_id
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid`;
  return row;
}
