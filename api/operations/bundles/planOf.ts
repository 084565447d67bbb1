import type { BundleKind, FieldChange, PlanEntry, StoredResource } from '../../../domain/bundle/bundle.ts';
import { inOrder, keyOf } from '../../../domain/bundle/bundle.ts';
import { changesOf } from '../../../domain/bundle/changesOf.ts';
import { shownFields } from '../../../domain/bundle/forms.ts';
import { givenSecrets, unreadChanges, withSecretChanges } from '../../../domain/bundle/secretChanges.ts';
import { type JsonObject, mapTexts } from '../../../domain/json.ts';
import { EventLoopYield } from '../../../engine/fairness/eventLoopYield.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import type { WantedResource } from './checkResources.ts';
import { hashOf, type ProjectState } from './projectState.ts';

export interface Plan {
  entries: PlanEntry[];
  wanted: WantedResource[];
  deleted: StoredResource[];
  hash: string;
}

/** Compares the state with the wanted resources, whose names are resolved. Yields to other work in between. */
export async function planOf(
  { catalogue }: Services,
  caller: Caller,
  state: ProjectState,
  { wanted, deletes, owner }: { wanted: WantedResource[]; deletes: boolean; owner: string },
): Promise<Plan> {
  const shown = (kind: BundleKind, value: JsonObject) => ({
    value,
    shown: shownFields(kind, value, state.names, catalogue),
  });
  const eventLoop = new EventLoopYield();
  const entries: PlanEntry[] = [];
  const readsVariables = caller.permissions.has('variables:read');
  for (const { kind, slug, body, stored, fields } of wanted) {
    const is = shown(kind, fields);
    const changes =
      stored && kind === 'variable' && !readsVariables
        ? unreadChanges(is.shown)
        : withSecretChanges(
            changesOf(shown(kind, stored?.fields ?? {}), is),
            stored ? givenSecrets(kind, body, stored) : [],
          );
    const taken: FieldChange[] = stored && !stored.isOfCode ? [{ path: 'managedByCode', from: false, to: true }] : [];
    const all = [...changes, ...taken];
    const action = stored ? (all.length === 0 ? 'unchanged' : 'update') : 'create';
    entries.push({ kind, slug, action, changes: all });
    await eventLoop.takeIfDue();
  }
  const kept = new Set(wanted.map(keyOf));
  const deleted = deletes ? state.resources.filter((each) => each.owner === owner && !kept.has(keyOf(each))) : [];
  const gone = deleted.map(({ kind, slug }): PlanEntry => ({ kind, slug, action: 'delete', changes: [] }));
  const hash = await hashOf(hashed(state, { wanted, deletes, owner }));
  return { entries: inOrder([...entries, ...gone]), wanted, deleted, hash };
}

/** Ids of new resources differ in each plan, so references replace them. */
function* hashed(
  { hash }: ProjectState,
  { wanted, deletes, owner }: { wanted: readonly WantedResource[]; deletes: boolean; owner: string },
): Generator<object> {
  yield { state: hash, deletes, owner };
  const fresh = new Map(wanted.filter(({ stored }) => !stored).map((each) => [each.id, `@${each.kind}/${each.slug}`]));
  for (const { kind, slug, fields } of wanted) {
    yield { kind, slug, fields: fresh.size === 0 ? fields : mapTexts(fields, (text) => fresh.get(text) ?? text) };
  }
}
