import { isEqualJson } from '../../../../domain/isEqualJson.ts';
import { type Definition, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';

/** A workflow as it stands in the editor: the one state that all its views show and change. */
export interface Draft {
  slug: string;
  name: string;
  description: string;
  projectId: string;
  orientation: 'horizontal' | 'vertical';
  /** Most executions at once; null: no limit. */
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

/** Whether two drafts are the same to whoever stores them. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  return isEqualJson(one, other);
}

/** The body of an upsert: everything, so that nothing of before stays unsaid. */
export function upsertBody({ definition, projectId: _, ...draft }: Draft) {
  return { ...draft, ...writtenDefinition(definition), description: draft.description.trim() || null };
}

/** The members of a definition in the order in which people read them; empty ones are left out. */
export function writtenDefinition({ trigger, nodes, edges, output, labels }: Definition) {
  return {
    trigger,
    nodes,
    edges,
    ...(output === undefined ? {} : { output }),
    ...(labels === undefined || Object.keys(labels).length === 0 ? {} : { labels }),
  };
}
