import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import type { Database } from '../../prisma/client.ts';
import type { UnstartedExecution } from '../../prisma/store/execution/reconcileQueries.ts';
import type { WorkflowHead } from '../../prisma/store/workflow/findWorkflow.ts';
import type { ExecutionStart } from '../engine.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { missingLabels } from './computedLabels.ts';
import type { DefinitionCache } from './definitionCache.ts';

interface StartParts {
  database: Database;
  definitions: DefinitionCache;
  evaluation: Evaluation;
}

export async function executionStartOf(parts: StartParts, row: UnstartedExecution): Promise<ExecutionStart> {
  const { workspaceId, executionId, source, name, number, limited } = row;
  const versionId = row.versionId ?? undefined;
  const definition = await parts.definitions.get({ workspaceId, executionId, ...(versionId ? { versionId } : {}) });
  const labels = row.labels ?? (await missingLabels(parts, workspaceId, definition, executionId));
  return {
    executionId,
    workspaceId,
    projectId: row.projectId ?? undefined,
    workflowId: row.workflowId ?? undefined,
    versionId,
    source,
    name,
    number,
    plan: definition.plan,
    labels,
    progress: row.progress ?? undefined,
    takesOver: row.takesOver,
    timeoutMs: row.timeoutMs ?? undefined,
    limited,
  };
}

export function startOfWorkflow(
  head: WorkflowHead,
  { executionId }: { executionId: string },
  { plan }: CompiledDefinition,
): ExecutionStart {
  const { workspaceId, projectId, id: workflowId, versionId, name } = head;
  const timeoutMs = head.timeoutMs ?? undefined;
  return { executionId, workspaceId, projectId, workflowId, versionId, source: 'WORKFLOW', name, plan, timeoutMs };
}
