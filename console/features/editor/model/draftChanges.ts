import { changesOf } from '../../../../domain/bundle/changesOf.ts';
import type { JsonObject } from '../../../../domain/json.ts';
import { type Draft, writtenDefinition } from './draft.ts';

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
