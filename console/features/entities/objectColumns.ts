import type { ObjectType } from './queries.ts';
import { propertiesOf } from './schemaFields.ts';

/** Attributes that have a column where nobody has chosen; more make no table that people read. */
const MAX_ATTRIBUTES = 5;

export const ATTRIBUTE = 'attributes.';

/** A column that a table of entities may have beside the name: `state`, `owner`, `created`, `updated`, or `attributes.<name>`. */
export type ColumnKey = string;

type Schemas = Pick<ObjectType, 'attributeSchema' | 'stateSchema'>;

/** All columns that there are for a type. */
export function columnsOf({ attributeSchema, stateSchema }: Schemas): ColumnKey[] {
  const attributes = propertiesOf(attributeSchema).map(([name]) => `${ATTRIBUTE}${name}`);
  return [...(stateSchema == null ? [] : ['state']), ...attributes, 'owner', 'created', 'updated'];
}

/** Those that are shown where nobody has chosen. */
export function usualColumns(type: Schemas): ColumnKey[] {
  const all = columnsOf(type);
  const attributes = all.filter((key) => key.startsWith(ATTRIBUTE)).slice(0, MAX_ATTRIBUTES);
  return all.filter((key) => key === 'state' || key === 'updated' || attributes.includes(key));
}

/** The columns that the address names, in its order; of those that the type has no more, none. */
export function shownColumns(type: Schemas, address: string | undefined): ColumnKey[] {
  if (address === undefined || address === '') return usualColumns(type);
  const all = columnsOf(type);
  const named = address.split(',').map(decoded);
  return [...new Set(named)].filter((key) => all.includes(key));
}

/** As the address names them; undefined where they are the usual ones. */
export function columnsText(type: Schemas, shown: readonly ColumnKey[]): string | undefined {
  const text = (keys: readonly ColumnKey[]) =>
    keys.map((key) => key.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
  // An empty text would be no choice: the name stands alone by a column that is none.
  const chosen = shown.length === 0 ? NONE : text(shown);
  return chosen === text(usualColumns(type)) ? undefined : chosen;
}

const NONE = 'name';

function decoded(key: string): string {
  return key.replaceAll('%2C', ',').replaceAll('%25', '%');
}

/** The list with the one at the place moved by so many; unchanged where it would leave the list. */
export function moved<One>(list: readonly One[], from: number, by: number): One[] {
  const to = from + by;
  const others = list.filter((_, at) => at !== from);
  const one = list[from];
  if (one === undefined || to < 0 || to > others.length) return [...list];
  return [...others.slice(0, to), one, ...others.slice(to)];
}
