import type { ObjectType } from './queries.ts';
import { labelOf, propertiesOf } from './schemaFields.ts';
import { OBJECTS } from './words.ts';

/** Attribute columns shown by default; more would make the table unreadable. */
const MAX_ATTRIBUTES = 5;

export const ATTRIBUTE = 'attributes.';

/** A column in addition to the name: `state`, `owner`, `created`, `updated` or `attributes.<name>`. */
export type ColumnKey = string;

type Schemas = Pick<ObjectType, 'attributeSchema' | 'stateSchema'>;

export function columnsOf({ attributeSchema, stateSchema }: Schemas): ColumnKey[] {
  const attributes = propertiesOf(attributeSchema).map(([name]) => `${ATTRIBUTE}${name}`);
  return [...(stateSchema == null ? [] : ['state']), ...attributes, 'owner', 'created', 'updated'];
}

export function usualColumns(type: Schemas): ColumnKey[] {
  const all = columnsOf(type);
  const attributes = all.filter((key) => key.startsWith(ATTRIBUTE)).slice(0, MAX_ATTRIBUTES);
  return all.filter((key) => key === 'state' || key === 'updated' || attributes.includes(key));
}

/** The columns in the address, in its order. Columns that the type no longer has are dropped. */
export function shownColumns(type: Schemas, address: string | undefined): ColumnKey[] {
  if (address === undefined || address === '') return usualColumns(type);
  const all = columnsOf(type);
  const named = address.split(',').map(decoded);
  return [...new Set(named)].filter((key) => all.includes(key));
}

/** The text for the address; undefined for the default columns. */
export function columnsText(type: Schemas, shown: readonly ColumnKey[]): string | undefined {
  const text = (keys: readonly ColumnKey[]) =>
    keys.map((key) => key.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
  // An empty text means the default. `name` is not one of these columns, so it represents no columns at all.
  const chosen = shown.length === 0 ? NONE : text(shown);
  return chosen === text(usualColumns(type)) ? undefined : chosen;
}

const NONE = 'name';

function decoded(key: string): string {
  return key.replaceAll('%2C', ',').replaceAll('%25', '%');
}

/** Moves an item by this many places; returns the list unchanged if the item would leave it. */
export function moved<One>(list: readonly One[], from: number, by: number): One[] {
  const to = from + by;
  const others = list.filter((_, at) => at !== from);
  const one = list[from];
  if (one === undefined || to < 0 || to > others.length) return [...list];
  return [...others.slice(0, to), one, ...others.slice(to)];
}

const FIXED: Record<string, string> = OBJECTS.columns;

export function columnLabel({ attributeSchema }: ObjectType, key: ColumnKey): string {
  if (!key.startsWith(ATTRIBUTE)) return FIXED[key] ?? key;
  const name = key.slice(ATTRIBUTE.length);
  return labelOf(name, propertiesOf(attributeSchema).find(([each]) => each === name)?.[1]);
}
