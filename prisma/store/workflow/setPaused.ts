import type { Database } from '../../client.ts';

export interface PauseState {
  id: string;
  paused: boolean;
  /** Executions that were accepted and may not begin yet. */
  heldExecutions: number;
}

/** Pauses or resumes the new starts of a workflow. Undefined where the workspace has no such workflow. */
export async function setPaused(
  database: Database,
  workspaceId: string,
  workflowId: string,
  paused: boolean,
): Promise<PauseState | undefined> {
  const [row] = await database.$queryRaw<PauseState[]>`
    WITH changed AS (
      UPDATE workflows SET is_paused = ${paused}::boolean, updated_at = now()
      WHERE id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid AND is_paused <> ${paused}::boolean
    )
    SELECT w.id, ${paused}::boolean AS paused,
      (SELECT count(*)::int FROM executions e WHERE e.workflow_id = w.id AND e.held) AS "heldExecutions"
    FROM workflows w WHERE w.id = ${workflowId}::uuid AND w.workspace_id = ${workspaceId}::uuid`;
  return row;
}
