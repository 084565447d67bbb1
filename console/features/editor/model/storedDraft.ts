import type { Definition } from '../../../../domain/workflow/definition.ts';
import { linearDefinition } from '../../../../domain/workflow/linear.ts';
import { EDITOR } from '../words.ts';
import { type Draft, EMPTY_DEFINITION, writtenDefinition } from './draft.ts';
import { undrawable } from './drawable.ts';

interface StoredDraft {
  name: string;
  description?: string | null | undefined;
  orientation?: Draft['orientation'] | undefined;
  maxConcurrent?: number | null | undefined;
  timeoutMs?: number | null | undefined;
  onFailureWorkflowId?: string | null | undefined;
  steps?: unknown;
  trigger?: unknown;
  nodes?: unknown;
  edges?: unknown;
  output?: unknown;
  labels?: unknown;
  notes?: unknown;
}

/**
 * Reads a draft of the API; settings that it does not have are those of the workflow. Throws if it cannot be drawn:
 * a program may store any definition as a draft.
 */
export function draftOf(stored: StoredDraft, settings: Omit<Draft, 'definition'>): Draft {
  const { steps, nodes = [], edges = [], output, labels, notes } = stored;
  const trigger = { ...EMPTY_DEFINITION.trigger, ...(stored.trigger as object | undefined) };
  const graph = steps === undefined ? { nodes, edges } : (linearDefinition(steps).candidate ?? { nodes: steps });
  const definition = writtenDefinition({ output, labels, notes, trigger, ...graph } as Definition);
  const problem = undrawable(definition);
  if (problem !== undefined) throw new Error(EDITOR.draftUndrawable(problem));
  return {
    ...settings,
    name: stored.name,
    description: stored.description === undefined ? settings.description : (stored.description ?? ''),
    orientation: stored.orientation ?? settings.orientation,
    maxConcurrent: stored.maxConcurrent === undefined ? settings.maxConcurrent : stored.maxConcurrent,
    timeoutMs: stored.timeoutMs === undefined ? settings.timeoutMs : stored.timeoutMs,
    onFailureWorkflowId:
      stored.onFailureWorkflowId === undefined ? settings.onFailureWorkflowId : stored.onFailureWorkflowId,
    definition: definition as Definition,
  };
}
