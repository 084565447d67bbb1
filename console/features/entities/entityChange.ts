import { isEqualJson } from '../../../domain/isEqualJson.ts';

/** The editable values of an entity. A null attribute is the same as an absent one. */
export interface EntityValues {
  name: string;
  attributes: Readonly<Record<string, unknown>>;
}

const isSame = (one: unknown, other: unknown) => isEqualJson(one ?? null, other ?? null);

/** Returns only the changed values. Sending the others would overwrite what other people have changed since. */
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
  name: boolean;
  attributes: string[];
}

/** Returns the values that others also changed, differently; undefined if none. `seen`: values the user saw last. */
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
