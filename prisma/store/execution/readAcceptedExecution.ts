import type { Labels } from '../../../domain/execution/labels.ts';
import type { Progress } from '../../../domain/execution/progress.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

export interface AcceptedExecution {
  name: string;
  projectId: string;
  workflowId: string;
  versionId: string;
  timeoutMs: number | null;
  held: boolean;
  limited: boolean;
  progress: Progress | null;
  takesOver: boolean;
  labels: Labels | null;
}

/** Returns undefined if no execution of a workflow has this id. */
export async function readAcceptedExecution(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<AcceptedExecution | undefined> {
  const [row] = await database.$queryRaw<AcceptedExecution[]>`
    SELECT e.name, e.project_id AS "projectId", e.workflow_id AS "workflowId", e.version_id AS "versionId",
      coalesce(w.timeout_ms, d.timeout_ms)::float8 AS "timeoutMs", e.held, e.limited,
      e.initial_progress AS progress, e.take_over IS NOT NULL AS "takesOver", e.labels
    FROM executions e LEFT JOIN workflows w ON w.id = e.workflow_id
      LEFT JOIN deleted_workflows d ON d.id = e.workflow_id
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid AND e.version_id IS NOT NULL`;
  return row;
}

export async function readExecutionDefinition(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<Definition | undefined> {
  const where = { id: executionId, workspaceId };
  const row = await database.execution.findUnique({ where, select: { definition: true } });
  return (row?.definition as Definition | null | undefined) ?? undefined;
}
