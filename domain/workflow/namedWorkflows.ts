import { holdsExpression } from '../expression/template.ts';
import type { Node } from './definition.ts';

export interface NamedWorkflow {
  nodeId: string;
  by: 'workflowId' | 'slug';
  name: string;
}

/** Workflows that an expression names are left out, because they are unknown until the step runs. */
export function namedWorkflows(nodes: readonly Node[]): NamedWorkflow[] {
  return nodes.flatMap(({ id: nodeId, type, inputs }): NamedWorkflow[] => {
    if (type !== 'runWorkflow' || !inputs) return [];
    const by = inputs.workflowId == null ? 'slug' : 'workflowId';
    const name = inputs[by];
    return typeof name !== 'string' || holdsExpression(name) ? [] : [{ nodeId, by, name }];
  });
}
