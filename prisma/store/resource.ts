import { instantOf } from '../../domain/instant.ts';
import type { Json } from '../../domain/json.ts';
import { Prisma } from '../generated/client.ts';

/**
 * What one resource shows: its fields, filters, flags and order. Answers, checks of the query, the statement and
 * the documentation come from this one table. SQL speaks of the resource's row as `t`.
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
  /** Flags of includeType, with what they say. */
  flags: Record<string, string>;
  /** Which rows a list shows, by the flags; all of the workspace where absent. */
  visible?: (flags: ReadonlySet<string>) => Prisma.Sql;
  /** Lists run from the newest to the oldest by this column; ties by id. */
  newestBy: Prisma.Sql;
}

export interface ResourceField {
  /** A value that json_build_object takes. */
  sql: Prisma.Sql;
  /** Only where one is read. */
  singleOnly?: true;
  /** The last touch, where SQL is not the language for it; it may add members to the item. */
  present?: (value: Json, item: Record<string, Json>) => Json;
}

export interface Filter {
  /** What the value means, for the documentation. */
  description: string;
  /** The condition; undefined when the text is no such value. */
  where: (text: string) => Prisma.Sql | undefined;
  expected: string;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** ISO 8601, UTC, milliseconds; null for null. */
export function isoTime(column: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** `{id, name}` of the row that `id` names; null where there is none. */
export function named(table: Prisma.Sql, id: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT json_build_object('id', n.id, 'name', n.name) FROM ${table} n WHERE n.id = ${id})`;
}

export function uuidFilter(description: string, where: (id: Prisma.Sql) => Prisma.Sql): Filter {
  return {
    description,
    expected: 'an id',
    where: (text) => (isUuid(text) ? where(Prisma.sql`${text}::uuid`) : undefined),
  };
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

/** Before or after a moment, which itself is neither. */
export function timeFilter(description: string, column: Prisma.Sql, side: 'after' | 'before'): Filter {
  return {
    description,
    expected: 'a time such as 2026-11-21T10:15:30.123Z',
    where: (text) => {
      const moment = instantOf(text);
      if (!moment) return undefined;
      const at = Prisma.sql`${moment.toISOString()}::timestamptz`;
      return side === 'after' ? Prisma.sql`${column} > ${at}` : Prisma.sql`${column} < ${at}`;
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

export function booleanFilter(description: string, condition: Prisma.Sql): Filter {
  return {
    description,
    expected: 'true or false',
    where: (text) => (text === 'true' ? condition : text === 'false' ? Prisma.sql`NOT ${condition}` : undefined),
  };
}

/** `json_build_object(…)` of the fields. Names come from the table, never from a request. */
export function jsonObject(resource: Resource, fields: readonly string[]): Prisma.Sql {
  const parts = fields.map((name) => Prisma.sql`${Prisma.raw(`'${name}'`)}, ${fieldOf(resource, name).sql}`);
  return Prisma.sql`json_build_object(${Prisma.join(parts)})`;
}

/** Gives each value its last touch. */
export function present(resource: Resource, item: Record<string, Json>): Record<string, Json> {
  for (const [name, value] of Object.entries(item)) {
    const last = fieldOf(resource, name).present;
    if (last) item[name] = last(value, item);
  }
  return item;
}

function fieldOf(resource: Resource, name: string): ResourceField {
  const field = resource.fields[name];
  if (!field) throw new Error(`${resource.name} has no field ${name}`);
  return field;
}
