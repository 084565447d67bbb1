import type { UnstartedExecution } from '../../prisma/store/execution/reconcileQueries.ts';
import type { ExecutionStart } from '../engine.ts';
import type { DefinitionCache } from './definitionCache.ts';

/** The arguments for starting an accepted execution in the engine. */
export async function executionStartOf(definitions: DefinitionCache, row: UnstartedExecution): Promise<ExecutionStart> {
  const { workspaceId, executionId, source, name, limited } = row;
  const versionId = row.versionId ?? undefined;
  const { plan } = await definitions.get({ workspaceId, executionId, ...(versionId ? { versionId } : {}) });
  return {
    executionId,
    workspaceId,
    projectId: row.projectId ?? undefined,
    workflowId: row.workflowId ?? undefined,
    versionId,
    source,
    name,
    plan,
    progress: row.progress ?? undefined,
    timeoutMs: row.timeoutMs ?? undefined,
    limited,
  };
}
