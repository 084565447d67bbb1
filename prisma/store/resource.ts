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

/**
 * The table of one resource: its fields, filters, flags and order. Answers, checks of the query, the statement and the
 * documentation come from it. In SQL the resource's row is `t`.
 */
export interface Resource {
  /** As `x-resource` in openapi.yaml names it. */
  name: string;
  /** How problems speak of one: `The workflow …`. */
  noun: string;
  table: Prisma.Sql;
  fields: Record<string, ResourceField>;
  /** Fields without being asked for. */
  defaults: { list: readonly string[]; single: readonly string[] };
  filters: Record<string, Filter>;
  /** Flags of includeType, with their conditions. */
  flags: Record<string, string>;
  /** How paths name its id; `<name>Id` if absent. */
  param?: string;
  /** Other columns that name one row, of row `t`, by the name that paths give them. */
  keys?: Record<string, Prisma.Sql>;
  /** Callers choose the ids in its paths, which are texts: an operation looks the row up first. */
  hasChosenIds?: true;
  /** Parents by the name of their id in a path: rows are of this one, and not found where it is not. */
  scope?: Record<string, ResourceScope>;
  /** The path of row `t`, for links to it. */
  place: Prisma.Sql;
  /** The rows visible to this caller in lists, reads and writes; default: all of the workspace. */
  visible?: (flags: ReadonlySet<string>, viewer: Viewer) => Prisma.Sql;
  /** The visible rows that lists show; default: all. */
  listed?: (flags: ReadonlySet<string>, viewer: Viewer) => Prisma.Sql;
  /** The only fields that this caller is shown, where it is not all: others are 403. */
  shownTo?: (viewer: Viewer) => ReadonlySet<string> | undefined;
  /** Fields that this caller is shown in another way. */
  shownAs?: (viewer: Viewer) => Record<string, ResourceField>;
  /** Default order of lists. */
  order: Order;
  /** The fields that PATCH sets: the assignment, by the member of the body. */
  changes?: Record<string, Assigns>;
  /** Rows that refuse changes and moves with 409. */
  frozen?: readonly Refusal[];
  /** Rows that refuse a deletion with 409. */
  undeletable?: readonly Refusal[];
  /** Its rows have a `revision`, and its reads an ETag. */
  hasTag?: true;
  /** It is deleted only while nothing uses it. */
  usedAs?: UsedKind;
  /** The assignments by which one is deleted whose row stays; without them the row goes. */
  softDelete?: (viewer: Viewer) => Prisma.Sql;
}

/** The assignment of a value by a writer; `plain` if it sets one column to the value. */
export type Assigns = ((value: Json, viewer: Viewer) => Prisma.Sql) & { plain?: PlainColumn };

/** The names for expansion, filterBy and includeType, of a resource or of another list. */
export type Named = Pick<Resource, 'name' | 'filters' | 'flags'> & Partial<Pick<Resource, 'fields' | 'defaults'>>;

export interface Refusal {
  /** Expression over row `t`. */
  when: Prisma.Sql;
  /** The text for the caller. */
  detail: string;
  /** CONFLICT if absent. */
  code?: ProblemCode;
}

export interface ResourceScope {
  /** Expression over row `t`. */
  column: Prisma.Sql;
  parent: Resource;
  /** A trigger of row `t` changes the parent: a deletion locks the parent first, as a deletion of the parent does. */
  lockedFirst?: true;
}

export interface ResourceField {
  /** A value that json_build_object takes. */
  sql: Prisma.Sql;
  /** Only where one is read. */
  singleOnly?: true;
  /** Its values may be long: beyond the bytes of an answer there is a link (items.ts). */
  large?: Large;
  /** The last touch, where SQL is not the language for it; it may add `alsoAdds` to the item. */
  present?: (value: Json, item: Record<string, Json>, open: RevealSecrets, linkOf: LinkOf) => Json;
  alsoAdds?: readonly string[];
}

export interface Large {
  /** Size of the value as JSON, read at least cost; absent: the size of its text. Null counts as 0. */
  bytes?: Prisma.Sql;
  /** Where the whole value is; if absent, a read of the row with this expansion alone. */
  link?: Prisma.Sql;
  /** If set, null replaces a left-out value; otherwise the member is absent. */
  orNull?: true;
}

export interface FilterGiven {
  /** Of the caller: an index that begins with it is used only for a value that is no column. */
  workspaceId: string;
  /** The text in place of `<…>` in the filter's key. */
  name?: string | undefined;
}

export interface Filter {
  /** The meaning of the value, for the documentation. */
  description: string;
  /** The condition; undefined when the text is no such value. */
  where: (text: string, given: FilterGiven) => Prisma.Sql | undefined;
  expected: string;
}

/** The resource as this caller is shown it. */
export function resourceFor(resource: Resource, viewer: Viewer): Resource {
  return resource.shownAs ? { ...resource, fields: { ...resource.fields, ...resource.shownAs(viewer) } } : resource;
}

/** ISO 8601, UTC, milliseconds; null for null. */
export function isoTime(column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** `{id, name}` of the row that `id` names; null if there is none. */
export function named(table: Prisma.Sql, id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT json_build_object('id', n.id, 'name', n.name) FROM ${table} n WHERE n.id = ${id})`;
}

/** `{id, name, email}` of the user that `id` names; null if there is none. */
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

/** One id or several: `<id>|<id>`. `where` gets them as an array. */
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

/** Of a column of type integer. */
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

/** The text itself, whole. */
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

/** One of the values or several: `FAILED|TIMED_OUT`. */
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

/** Before or after a moment, which itself is neither; or at it too. */
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

/** Rows that hold the text somewhere, upper and lower case alike. */
export function textFilter(description: string, column: Prisma.Sql): Filter {
  return {
    description,
    expected: 'a text',
    where: (text) =>
      text === '' ? undefined : Prisma.sql`${column} ILIKE ${`%${text.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  };
}

/** The filter with another condition around its own. */
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
