import type { TriggerNode } from '../../../domain/workflow/definition.ts';
import type { Database } from '../../client.ts';

export interface StartableWorkflow {
  id: string;
  slug: string;
  name: string;
  description: string | null;
  trigger: TriggerNode;
}

/** Returns the active workflows among these ids that can be started manually, by id. */
export function startableWorkflows(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<StartableWorkflow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return database.$queryRaw<StartableWorkflow[]>`
    SELECT w.id::text AS id, w.slug, w.name, w.description, v.definition -> 'trigger' AS trigger
    FROM workflows w JOIN workflow_versions v ON v.id = w.version_id
    WHERE w.workspace_id = ${workspaceId}::uuid AND w.id = ANY (${[...ids]}::uuid[]) AND w.is_active
      AND v.definition #>> '{trigger,type}' IN ('manual', 'schedule')
    ORDER BY w.id`;
}
