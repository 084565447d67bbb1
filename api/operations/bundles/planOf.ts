import type { FieldChange, PlanEntry, StoredResource } from '../../../domain/bundle/bundle.ts';
import { inOrder, keyOf } from '../../../domain/bundle/bundle.ts';
import { changesOf } from '../../../domain/bundle/changesOf.ts';
import { shownFields } from '../../../domain/bundle/forms.ts';
import { givenSecrets, unreadChanges, withSecretChanges } from '../../../domain/bundle/secretChanges.ts';
import { type JsonObject, mapTexts } from '../../../domain/json.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { EventLoopYield } from '../../../engine/fairness/eventLoopYield.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import type { WantedResource } from './checkResources.ts';
import { hashOf, type ProjectState } from './projectState.ts';

export interface Wishes {
  wanted: WantedResource[];
  deletes: boolean;
  owner: string;
  /** Whether resources of other owners become its own; otherwise a change of one is a problem. */
  takesOver: boolean;
}

export interface Plan {
  entries: PlanEntry[];
  problems: ProblemDetail[];
  wanted: WantedResource[];
  deleted: StoredResource[];
  hash: string;
}

/** Compares the state with the wanted resources, whose names are resolved. Yields to other work in between. */
export async function planOf(
  { catalogue }: Services,
  caller: Caller,
  state: ProjectState,
  { wanted, deletes, owner, takesOver }: Wishes,
): Promise<Plan> {
  const eventLoop = new EventLoopYield();
  const entries: PlanEntry[] = [];
  const problems: ProblemDetail[] = [];
  for (const each of wanted) {
    const { stored } = each;
    const itself = stored ? ofItself(stored, { owner, takesOver }) : [];
    const entry = entryOf(each, [...itself, ...fieldChanges(each, caller, state, catalogue)]);
    entries.push(entry);
    if (entry.action === 'update' && !takesOver && isOfOther(stored, owner)) {
      problems.push(otherOwner(each.path, stored, owner));
    }
    await eventLoop.takeIfDue();
  }
  const kept = new Set(wanted.map(keyOf));
  const deleted = deletes ? state.resources.filter((each) => each.owner === owner && !kept.has(keyOf(each))) : [];
  const gone = deleted.map(({ kind, slug }): PlanEntry => ({ kind, slug, action: 'delete', changes: [] }));
  const hash = await hashOf(hashed(state, { wanted, deletes, owner, takesOver }));
  return { entries: inOrder([...entries, ...gone]), problems, wanted, deleted, hash };
}

function fieldChanges(
  { kind, body, stored, fields }: WantedResource,
  caller: Caller,
  { names }: ProjectState,
  catalogue: Services['catalogue'],
): FieldChange[] {
  const shown = (value: JsonObject) => ({ value, shown: shownFields(kind, value, names, catalogue) });
  const is = shown(fields);
  if (!stored) return changesOf(shown({}), is);
  if (kind === 'variable' && !caller.permissions.has('variables:read')) return unreadChanges(is.shown);
  return withSecretChanges(changesOf(shown(stored.fields), is), givenSecrets(kind, body, stored));
}

function entryOf({ kind, slug, stored }: WantedResource, changes: FieldChange[]): PlanEntry {
  const action = stored ? (changes.length === 0 ? 'unchanged' : 'update') : 'create';
  return { kind, slug, action, changes, ...(stored?.movedFrom === undefined ? {} : { movedFrom: stored.movedFrom }) };
}

/** Returns changes of the resource apart from its fields. */
function ofItself(stored: StoredResource, { owner, takesOver }: Pick<Wishes, 'owner' | 'takesOver'>): FieldChange[] {
  const changes: FieldChange[] = [];
  if (stored.movedFrom !== undefined) changes.push({ path: 'slug', from: stored.movedFrom, to: stored.slug });
  if (!stored.isOfCode) changes.push({ path: 'managedByCode', from: false, to: true });
  if (takesOver && isOfOther(stored, owner)) changes.push({ path: 'owner', from: stored.owner, to: owner });
  return changes;
}

export function isOfOther(
  stored: StoredResource | undefined,
  owner: string,
): stored is StoredResource & { owner: string } {
  return typeof stored?.owner === 'string' && stored.owner !== owner;
}

function otherOwner(path: string, { kind, slug, owner: other }: StoredResource, owner: string): ProblemDetail {
  const way = `change it there, apply with the owner ${other}, or take it over (takeOver, --take-over)`;
  return { path, message: `${kind} ${slug} belongs to the owner ${other}, and this is ${owner}: ${way}` };
}

/** Ids of new resources differ in each plan, so references replace them. */
function* hashed({ hash }: ProjectState, { wanted, deletes, owner, takesOver }: Wishes): Generator<object> {
  yield { state: hash, deletes, owner, takesOver };
  const fresh = new Map(wanted.filter(({ stored }) => !stored).map((each) => [each.id, `@${each.kind}/${each.slug}`]));
  for (const { kind, slug, fields, stored } of wanted) {
    yield {
      kind,
      slug,
      movedFrom: stored?.movedFrom ?? null,
      fields: fresh.size === 0 ? fields : mapTexts(fields, (text) => fresh.get(text) ?? text),
    };
  }
}
