import { holdsExpression } from '../expression/template.ts';
import type { Node } from './definition.ts';

/** A workflow that a runWorkflow node names without an expression, so that it is known before any execution. */
export interface NamedWorkflow {
  nodeId: string;
  by: 'workflowId' | 'slug';
  name: string;
}

/** In the order of the nodes. Workflows that an expression names are unknown until the step runs. */
export function namedWorkflows(nodes: readonly Node[]): NamedWorkflow[] {
  return nodes.flatMap(({ id: nodeId, type, inputs }): NamedWorkflow[] => {
    if (type !== 'runWorkflow' || !inputs) return [];
    const by = inputs.workflowId == null ? 'slug' : 'workflowId';
    const name = inputs[by];
    return typeof name !== 'string' || holdsExpression(name) ? [] : [{ nodeId, by, name }];
  });
}
