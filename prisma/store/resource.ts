import type { Viewer } from '../../domain/access/viewer.ts';
import type { RevealSecrets } from '../../domain/execution/keptSecret.ts';
import type { LinkOf } from '../../domain/execution/questionPlace.ts';
import { instantOf } from '../../domain/instant.ts';
import { isUuid } from '../../domain/isUuid.ts';
import type { Json } from '../../domain/json.ts';
import type { ProblemCode } from '../../domain/problem.ts';
import { Prisma } from '../generated/client.ts';
import type { PlainColumn } from './column.ts';
import type { Order } from './order.ts';
import type { UsedKind } from './usedBy.ts';

/** Describes a resource. Answers, checks of the query, SQL and documentation derive from it. In SQL the row is `t`. */
export interface Resource {
  /** The `x-resource` of openapi.yaml. */
  name: string;
  /** Used in problems: `The workflow …`. */
  noun: string;
  table: Prisma.Sql;
  fields: Record<string, ResourceField>;
  defaults: { list: readonly string[]; single: readonly string[] };
  filters: Record<string, Filter>;
  /** Flags of includeType, with their descriptions. */
  flags: Record<string, string>;
  /** The name of its id in paths; `<name>Id` if absent. */
  param?: string;
  /** Columns of row `t` that can replace its id, by their names in paths. */
  keys?: Record<string, Prisma.Sql>;
  /** Callers choose the ids in its paths, which are texts: an operation looks the row up first. */
  hasChosenIds?: true;
  /** Parents by the name of their id in a path. A row of another parent is not found. */
  scope?: Record<string, ResourceScope>;
  place: Prisma.Sql;
  /** The rows that this caller may list, read and write; default: all of the workspace. */
  visible?: (flags: ReadonlySet<string>, viewer: Viewer) => Prisma.Sql;
  /** The visible rows that lists include; default: all. */
  listed?: (flags: ReadonlySet<string>, viewer: Viewer) => Prisma.Sql;
  /** The only fields that this caller may see; others are 403. Undefined: all. */
  shownTo?: (viewer: Viewer) => ReadonlySet<string> | undefined;
  /** Fields that differ for this caller. */
  shownAs?: (viewer: Viewer) => Record<string, ResourceField>;
  order: Order;
  /** The fields that PATCH sets, by the member of the body. */
  changes?: Record<string, Assigns>;
  /** Rows that reject changes and transitions with 409. */
  frozen?: readonly Refusal[];
  /** Rows that reject a deletion with 409. */
  undeletable?: readonly Refusal[];
  /** Its rows have a `revision`, and its reads an ETag. */
  hasTag?: true;
  usedAs?: UsedKind;
  /** The assignments of a deletion that keeps the row; without them the row is deleted. */
  softDelete?: (viewer: Viewer) => Prisma.Sql;
}

/** `plain` if it sets one column to the value. */
export type Assigns = ((value: Json, viewer: Viewer) => Prisma.Sql) & { plain?: PlainColumn };

/** The names for expansion, filterBy and includeType, also of a list without a resource. */
export type Named = Pick<Resource, 'name' | 'filters' | 'flags'> & Partial<Pick<Resource, 'fields' | 'defaults'>>;

export interface Refusal {
  when: Prisma.Sql;
  detail: string;
  /** CONFLICT if absent. */
  code?: ProblemCode;
}

export interface ResourceScope {
  column: Prisma.Sql;
  parent: Resource;
  /** A trigger of row `t` changes the parent: a deletion locks the parent first, as a deletion of the parent does. */
  lockedFirst?: true;
}

export interface ResourceField {
  sql: Prisma.Sql;
  /** Only for reads of one row. */
  singleOnly?: true;
  /** Its values may be long: an answer that is full has a link instead (items.ts). */
  large?: Large;
  /** Converts the value in TypeScript; it may add `alsoAdds` to the item. */
  present?: (value: Json, item: Record<string, Json>, open: RevealSecrets, linkOf: LinkOf) => Json;
  alsoAdds?: readonly string[];
}

export interface Large {
  /** Size of the value as JSON, cheap to read; absent: the size of its text. Null counts as 0. */
  bytes?: Prisma.Sql;
  /** The link to the whole value; absent: a read of the row with only this expansion. */
  link?: Prisma.Sql;
  /** Null replaces an omitted value; otherwise the member is absent. */
  orNull?: true;
}

export interface FilterGiven {
  /** The caller's, as a value: an index that begins with it is not used for a column. */
  workspaceId: string;
  /** The text that replaces `<…>` in the filter's key. */
  name?: string | undefined;
}

export interface Filter {
  description: string;
  /** Returns undefined if the text is invalid. */
  where: (text: string, given: FilterGiven) => Prisma.Sql | undefined;
  expected: string;
  /** The value of lists that do not name it. */
  otherwise?: string;
}

export function resourceFor(resource: Resource, viewer: Viewer): Resource {
  return resource.shownAs ? { ...resource, fields: { ...resource.fields, ...resource.shownAs(viewer) } } : resource;
}

/** ISO 8601, UTC, milliseconds; null for null. */
export function isoTime(column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

export function named(table: Prisma.Sql, id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT json_build_object('id', n.id, 'name', n.name) FROM ${table} n WHERE n.id = ${id})`;
}

export function person(id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT json_build_object('id', u.id, 'name', u.name, 'email', u.email) FROM users u WHERE u.id = ${id})`;
}

export function uuidFilter(description: string, where: (id: Prisma.Sql) => Prisma.Sql): Filter {
  return {
    description,
    expected: 'an id',
    where: (text) => (isUuid(text) ? where(Prisma.sql`${text}::uuid`) : undefined),
  };
}

/** Accepts one id or several: `<id>|<id>`. `where` gets them as an array. */
export function anyUuidFilter(description: string, where: (ids: Prisma.Sql) => Prisma.Sql): Filter {
  return {
    description: `${description}; several with \`|\` between them`,
    expected: 'an id, or several with | between them',
    where: (text) => {
      const ids = text.split('|');
      return ids.every(isUuid) ? where(Prisma.sql`${ids}::uuid[]`) : undefined;
    },
  };
}

export function intFilter(description: string, column: Prisma.Sql): Filter {
  return {
    description,
    expected: 'a whole number from -2147483648 to 2147483647',
    where: (text) => {
      const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
      return number >= -(2 ** 31) && number < 2 ** 31 ? Prisma.sql`${column} = ${number}::int` : undefined;
    },
  };
}

export function equalFilter(description: string, column: Prisma.Sql): Filter {
  return { description, expected: 'a text', where: (text) => Prisma.sql`${column} = ${text}` };
}

export function enumFilter(description: string, column: Prisma.Sql, values: readonly string[]): Filter {
  return {
    description,
    expected: `one of ${values.join(', ')}`,
    where: (text) => (values.includes(text) ? Prisma.sql`${column} = ${text}` : undefined),
  };
}

/** Accepts one value or several: `FAILED|TIMED_OUT`. */
export function anyOfFilter(description: string, column: Prisma.Sql, values: readonly string[]): Filter {
  return {
    description: `${description}; several as \`${values.slice(-2).join('|')}\``,
    expected: `one or several, with | between them, of ${values.join(', ')}`,
    where: (text) => {
      const asked = text.split('|');
      return asked.every((each) => values.includes(each))
        ? Prisma.sql`${column} IN (${Prisma.join(asked.map((each) => Prisma.raw(`'${each}'`)))})`
        : undefined;
    },
  };
}

const SIDES = { after: Prisma.sql`>`, before: Prisma.sql`<`, atOrBefore: Prisma.sql`<=` };

export function timeFilter(description: string, column: Prisma.Sql, side: keyof typeof SIDES): Filter {
  return {
    description,
    expected: 'a time such as 2026-11-21T10:15:30.123Z',
    where: (text) => {
      const moment = instantOf(text);
      if (!moment) return undefined;
      const at = Prisma.sql`${moment.toISOString()}::timestamptz`;
      return Prisma.sql`${column} ${SIDES[side]} ${at}`;
    },
  };
}

export function textFilter(description: string, column: Prisma.Sql): Filter {
  return {
    description,
    expected: 'a text',
    where: (text) =>
      text === '' ? undefined : Prisma.sql`${column} ILIKE ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  };
}

export function wrapFilter(filter: Filter, outer: (condition: Prisma.Sql) => Prisma.Sql): Filter {
  return {
    ...filter,
    where: (text, given) => {
      const condition = filter.where(text, given);
      return condition && outer(condition);
    },
  };
}

export function booleanFilter(description: string, condition: Prisma.Sql): Filter {
  return {
    description,
    expected: 'true or false',
    where: (text) => (text === 'true' ? condition : text === 'false' ? Prisma.sql`NOT ${condition}` : undefined),
  };
}

export function fieldOf(resource: Resource, name: string): ResourceField {
  const field = resource.fields[name];
  if (!field) throw new Error(`${resource.name} has no field ${name}`);
  return field;
}
