import { isEqualJson } from '../../../domain/isEqualJson.ts';

/** What people change of an entity; an attribute that is null, or absent, is none. */
export interface EntityValues {
  name: string;
  attributes: Readonly<Record<string, unknown>>;
}

const isSame = (one: unknown, other: unknown) => isEqualJson(one ?? null, other ?? null);

/** Only what is not as it was: what is sent besides would put back what others have changed meanwhile. */
export function changeOf(before: EntityValues, mine: EntityValues): Partial<EntityValues> {
  const attributes = Object.fromEntries(
    Object.entries(mine.attributes).filter(([name, value]) => !isSame(value, before.attributes[name])),
  );
  return {
    ...(mine.name === before.name ? {} : { name: mine.name }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

export interface ChangedByBoth {
  /** Whether the name is. */
  name: boolean;
  attributes: string[];
}

/** What of a change others have changed, too, to something else; undefined where there is nothing. `seen`: what the person knows. */
export function changedByBoth(
  change: Partial<EntityValues>,
  seen: EntityValues,
  now: EntityValues,
): ChangedByBoth | undefined {
  const isBoth = (mine: unknown, known: unknown, present: unknown) => !isSame(present, known) && !isSame(present, mine);
  const name = change.name !== undefined && isBoth(change.name, seen.name, now.name);
  const attributes = Object.entries(change.attributes ?? {}).flatMap(([key, mine]) =>
    isBoth(mine, seen.attributes[key], now.attributes[key]) ? [key] : [],
  );
  return name || attributes.length > 0 ? { name, attributes } : undefined;
}
