import { v7 } from 'uuid';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';

export function stepRecord(compiled: CompiledNode, label: string, attempt: number, iteration: string): StepRecord {
  const { id, type, appId, actionId } = compiled.node;
  return {
    id: v7(),
    nodeId: id,
    iteration,
    label,
    type,
    ...(appId === undefined ? {} : { appId }),
    ...(actionId === undefined ? {} : { actionId }),
    status: 'RUNNING',
    attempt,
  };
}

export function queuedRecords(definition: CompiledDefinition, nodeIds: string[], iteration: string): StepRecord[] {
  return nodeIds.flatMap((nodeId) => {
    const compiled = definition.nodes.get(nodeId);
    if (!compiled) return [];
    return [{ ...stepRecord(compiled, planNode(definition.plan, nodeId).label, 1, iteration), status: 'QUEUED' }];
  });
}
