import { isEqualJson } from '../../../domain/isEqualJson.ts';
import { type Definition, TRIGGER_ID } from '../../../domain/workflow/definition.ts';

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

const MAX_SLUG_LENGTH = 63;
/** Letters that are none with a mark on it. */
const SPELLED: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' },
};

/** `Refund an expense!` becomes `refund-an-expense`. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðłþı]/g, (letter) => SPELLED[letter] ?? letter)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
}
