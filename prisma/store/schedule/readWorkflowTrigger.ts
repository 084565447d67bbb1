import type { TriggerNode } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

export interface CurrentTrigger {
  name: string;
  trigger: TriggerNode;
  /** Whether its schedule or poll may start executions: it is active and not paused. */
  isStarting: boolean;
}

export async function readWorkflowTrigger(
  database: Database,
  workspaceId: string,
  workflowId: string,
): Promise<CurrentTrigger | undefined> {
  const [row] = await database.$queryRaw<CurrentTrigger[]>`
    SELECT w.name, v.definition -> 'trigger' AS trigger, w.is_active AND NOT w.is_paused AS "isStarting"
    FROM workflows w JOIN workflow_versions v ON v.id = w.version_id
    WHERE w.id = ${workflowId}::uuid AND w.workspace_id = ${workspaceId}::uuid`;
  return row;
}
