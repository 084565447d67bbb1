import type { Catalogue } from '../app/manifest.ts';
import type { JsonObject } from '../json.ts';
import { referencesIn } from '../reference/references.ts';
import type { BundleKind } from './bundle.ts';
import { keyOf } from './bundle.ts';

interface Having {
  kind: BundleKind;
  slug: string;
  id: string;
}

/** For each of `gone` that any of `kept` names: `workflow a` by the keys of what goes. */
export function usersOf(
  gone: readonly Having[],
  kept: readonly (Having & { fields: JsonObject })[],
  catalogue: Catalogue,
): Map<string, string[]> {
  const byName = new Map<string, string>(
    gone.flatMap((each) => [
      [`${each.kind} id ${each.id}`, keyOf(each)] as const,
      [`${each.kind} slug ${each.slug}`, keyOf(each)] as const,
    ]),
  );
  const users = new Map<string, string[]>();
  for (const user of kept) {
    if (user.kind !== 'workflow' && user.kind !== 'agent' && user.kind !== 'objectType') continue;
    const named = referencesIn(user.kind, user.fields, catalogue).map(({ kind, by, name }) =>
      byName.get(`${kind} ${by} ${by === 'id' ? name.toLowerCase() : name}`),
    );
    for (const key of new Set(named)) if (key !== undefined) users.set(key, [...(users.get(key) ?? []), keyOf(user)]);
  }
  return users;
}
