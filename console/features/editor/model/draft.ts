import { isEqualJson } from '../../../../domain/isEqualJson.ts';
import { type Definition, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';

export interface Draft {
  slug: string;
  name: string;
  description: string;
  projectId: string;
  orientation: 'horizontal' | 'vertical';
  /** Maximum number of concurrent executions; null: no limit. */
  maxConcurrent: number | null;
  timeoutMs: number | null;
  onFailureWorkflowId: string | null;
  definition: Definition;
}

const EMPTY_DEFINITION: Definition = {
  trigger: { id: TRIGGER_ID, type: 'manual', config: {} },
  nodes: [],
  edges: [],
};

export const NEW_DRAFT: Draft = {
  slug: '',
  name: '',
  description: '',
  projectId: '',
  orientation: 'horizontal',
  maxConcurrent: null,
  timeoutMs: null,
  onFailureWorkflowId: null,
  definition: EMPTY_DEFINITION,
};

export function isSameDraft(one: Draft, other: Draft): boolean {
  return isEqualJson(one, other);
}

/** The body of an upsert. It contains every setting, because omitted ones would keep their old values. */
export function upsertBody({ definition, projectId: _, ...draft }: Draft) {
  return { ...draft, ...writtenDefinition(definition), description: draft.description.trim() || null };
}

/** Returns the definition in reading order, without empty members. */
export function writtenDefinition({ trigger, nodes, edges, output, labels }: Definition) {
  return {
    trigger,
    nodes,
    edges,
    ...(output === undefined ? {} : { output }),
    ...(labels === undefined || Object.keys(labels).length === 0 ? {} : { labels }),
  };
}
