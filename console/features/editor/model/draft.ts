import { changesOf } from '../../../../domain/bundle/changesOf.ts';
import { isEqualJson } from '../../../../domain/isEqualJson.ts';
import type { JsonObject } from '../../../../domain/json.ts';
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

export const EMPTY_DEFINITION: Definition = {
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
export function writtenDefinition({ trigger, nodes, edges, output, labels, notes = [] }: Definition) {
  return {
    trigger,
    nodes,
    edges,
    ...(output === undefined ? {} : { output }),
    ...(labels === undefined || Object.keys(labels).length === 0 ? {} : { labels }),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

export interface DraftChange {
  kind: 'added' | 'removed' | 'changed';
  /** `nodes.approval.inputs.title` */
  path: string;
  from: unknown;
  to: unknown;
}

/** Compares two drafts. Positions do not affect what a node does, so moved nodes are only counted. */
export function draftChanges(before: Draft, now: Draft): { changes: DraftChange[]; moved: number } {
  const found = changesOf(shown(before), shown(now));
  const isPlace = (path: string) => /^nodes(?:\.[\w-]+|\["[^"]*"\])\.position\b/.test(path);
  const moved = new Set(found.filter(({ path }) => isPlace(path)).map(({ path }) => path.replace(/\.position.*$/, '')));
  const changes = found
    .filter(({ path }) => !isPlace(path))
    .map(({ path, from, to }): DraftChange => {
      const kind = from === null ? 'added' : to === null ? 'removed' : 'changed';
      return { kind, path, from, to };
    });
  return { changes, moved: moved.size };
}

function shown({ definition, ...settings }: Draft) {
  const value = { ...settings, ...writtenDefinition(definition) } as unknown as JsonObject;
  return { value, shown: value };
}

export interface History<State> {
  past: readonly State[];
  present: State;
  future: readonly State[];
  /** The last change. Another one with the same subject soon after is merged with it. */
  last: { about: string; at: number } | undefined;
}

export const MAX_PAST = 100;
/** Changes within this time are merged, such as consecutive keystrokes. */
const TOGETHER_MS = 1_000;

export function historyOf<State>(present: State): History<State> {
  return { past: [], present, future: [], last: undefined };
}

/** Adds a change. An empty `about` is never merged. `at`: epoch milliseconds. */
export function changed<State>(history: History<State>, next: State, about: string, at: number): History<State> {
  const { past, present, last } = history;
  if (next === present) return history;
  const isMore = about !== '' && last?.about === about && at - last.at < TOGETHER_MS && past.length > 0;
  return {
    past: isMore ? past : [...past, present].slice(-MAX_PAST),
    present: next,
    future: [],
    last: { about, at },
  };
}

/** Applies an update to all states, past and future; a step that then changes nothing is dropped. */
export function everywhere<State>(
  history: History<State>,
  update: (state: State) => State,
  isSame: (one: State, other: State) => boolean,
): History<State> {
  const { past, present, future } = history;
  const states = [...past, present, ...future];
  const all = states.map(update);
  if (all.every((state, index) => state === states[index])) return history;
  const at = past.length;
  return {
    ...history,
    past: all.slice(0, at).filter((state, index) => !isSame(state, all[index + 1] as State)),
    present: all[at] as State,
    future: all.slice(at + 1).filter((state, index) => !isSame(state, all[at + index] as State)),
  };
}

export function undone<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  const before = past.at(-1);
  if (before === undefined) return history;
  return { past: past.slice(0, -1), present: before, future: [present, ...future], last: undefined };
}

export function redone<State>(history: History<State>): History<State> {
  const { past, present, future } = history;
  const [next, ...rest] = future;
  if (next === undefined) return history;
  return { past: [...past, present], present: next, future: rest, last: undefined };
}
