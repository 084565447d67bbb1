import type { BundleKind, FieldChange, PlanEntry, StoredResource } from '../../../domain/bundle/bundle.ts';
import { inOrder, keyOf } from '../../../domain/bundle/bundle.ts';
import { changesOf } from '../../../domain/bundle/changesOf.ts';
import { shownFields } from '../../../domain/bundle/forms.ts';
import { type JsonObject, mapTexts } from '../../../domain/json.ts';
import type { Services } from '../../services.ts';
import type { WantedResource } from './checkResources.ts';
import { hashOf, type ProjectState } from './projectState.ts';

export interface Plan {
  entries: PlanEntry[];
  wanted: WantedResource[];
  deleted: StoredResource[];
  hash: string;
}

/** What comes of the state and what is wanted: pure but for the names, which are read already. */
export function planOf(
  { catalogue }: Services,
  state: ProjectState,
  { wanted, deletes }: { wanted: WantedResource[]; deletes: boolean },
): Plan {
  const shown = (kind: BundleKind, value: JsonObject) => ({
    value,
    shown: shownFields(kind, value, state.names, catalogue),
  });
  const entries = wanted.map((each): PlanEntry => {
    const { kind, slug, stored, fields } = each;
    const changes = changesOf(shown(kind, stored?.fields ?? {}), shown(kind, fields));
    const taken: FieldChange[] = stored && !stored.isOfCode ? [{ path: 'managedByCode', from: false, to: true }] : [];
    const all = [...changes, ...taken];
    return { kind, slug, action: stored ? (all.length === 0 ? 'unchanged' : 'update') : 'create', changes: all };
  });
  const kept = new Set(wanted.map(keyOf));
  const deleted = deletes ? state.resources.filter((each) => each.isOfCode && !kept.has(keyOf(each))) : [];
  const gone = deleted.map(({ kind, slug }): PlanEntry => ({ kind, slug, action: 'delete', changes: [] }));
  const fields = wanted.map(({ kind, slug, fields: all }) => ({ kind, slug, fields: all }));
  const hash = hashOf({ state: state.hash, wanted: withoutIds(fields, wanted), deletes });
  return { entries: inOrder([...entries, ...gone]), wanted, deleted, hash };
}

/** The ids of what comes to be made are others in each plan. */
function withoutIds<T>(value: T, wanted: readonly WantedResource[]): T {
  const fresh = new Map(wanted.filter(({ stored }) => !stored).map((each) => [each.id, `@${each.kind}/${each.slug}`]));
  return fresh.size === 0 ? value : mapTexts(value, (text) => fresh.get(text) ?? text);
}
