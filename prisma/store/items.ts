import type { RevealSecrets } from '../../domain/execution/keptSecret.ts';
import type { LinkOf } from '../../domain/execution/questionPlace.ts';
import type { Json } from '../../domain/json.ts';
import { Prisma } from '../generated/client.ts';
import { fieldOf, type Resource } from './resource.ts';

/** Values up to this size are always included. Bytes of JSON. */
const ALWAYS_SHOWN_BYTES = 256;

/** Member of an item that passes its omitted fields from the statement to `itemOf`. */
const LEFT_OUT = '#leftOut';

export type Item = Record<string, Json>;

export interface Shown {
  resource: Resource;
  fields: readonly string[];
  /** Infinity omits nothing, for rows that are bounded in another way. */
  answerBytes: number;
  /** A read of one large value returns it in full: links lead to such reads. */
  single: boolean;
}

export interface Column {
  name: string;
  /** Expression over row `t`. */
  sql: Prisma.Sql;
}

/** The sizes of large values are read first, so that neither database nor process reads more than `answerBytes`. */
export function itemsSql(shown: Shown, from: Prisma.Sql, columns: readonly Column[] = []): Prisma.Sql {
  const { resource, fields } = shown;
  const large = largeFields(shown);
  const given = columns.map(({ name, sql }) => Prisma.sql`, ${sql} AS ${quoted(name)}`);
  const taken = columns.map(({ name }) => Prisma.sql`, t.${quoted(name)}`);
  if (large.length === 0) {
    return Prisma.sql`SELECT ${jsonObject(resource, fields)} AS item ${concat(taken)}
      FROM (SELECT t.* ${concat(given)} ${from}) t`;
  }
  const sizes = large.map((name) => Prisma.sql`, coalesce(${bytesOf(resource, name)}, 0) AS ${sizeOf(name)}`);
  return Prisma.sql`SELECT ${budgetedObject(shown, large)} AS item ${concat(taken)}
    FROM (
      SELECT t.*, sum(${counted(shown, large)}) OVER (ROWS UNBOUNDED PRECEDING) - ${counted(shown, large)} AS "#before"
      FROM (SELECT t.* ${concat(sizes)} ${concat(given)} ${from}) t
    ) t`;
}

export function itemOf(
  resource: Resource,
  item: Item,
  { revealSecrets, linkOf }: { revealSecrets: RevealSecrets; linkOf: LinkOf },
): Item {
  const leftOut = (item[LEFT_OUT] ?? {}) as Record<string, [number, string]>;
  delete item[LEFT_OUT];
  for (const [name, value] of Object.entries(item)) {
    const last = fieldOf(resource, name).present;
    if (last && !(name in leftOut)) item[name] = last(value, item, revealSecrets, linkOf);
  }
  for (const [name, [bytes, link]] of Object.entries(leftOut)) {
    if (!fieldOf(resource, name).large?.orNull) delete item[name];
    Object.assign(item, { [`${name}Link`]: link, [`${name}Bytes`]: bytes });
  }
  return item;
}

/** Selects the item of row `t` with all large values, for `RETURNING` and itemOf. */
export function wholeItemSql(resource: Resource, fields: readonly string[]): Prisma.Sql {
  return Prisma.sql`${jsonObject(resource, fields)}::text`;
}

function largeFields({ resource, fields, answerBytes, single }: Shown): string[] {
  if (answerBytes === Number.POSITIVE_INFINITY) return [];
  const large = fields.filter((name) => fieldOf(resource, name).large);
  return single && large.length === 1 ? [] : large;
}

/** Names come from the resource table, never from a request. */
function jsonObject(resource: Resource, fields: readonly string[]): Prisma.Sql {
  return objectOf(fields.map((name) => [name, fieldOf(resource, name).sql]));
}

function budgetedObject(shown: Shown, large: readonly string[]): Prisma.Sql {
  const { resource, fields } = shown;
  const fits = new Map(large.map((name, index) => [name, fitsSql(shown, large.slice(0, index + 1), name)]));
  const members = fields.map((name): [string, Prisma.Sql] => {
    const { sql } = fieldOf(resource, name);
    const fit = fits.get(name);
    return [name, fit ? Prisma.sql`CASE WHEN ${fit} THEN ${sql} END` : sql];
  });
  const left = [...fits].map(([name, fit]): [string, Prisma.Sql] => [
    name,
    Prisma.sql`CASE WHEN NOT ${fit} THEN json_build_array(t.${sizeOf(name)}, ${linkOf(resource, name)}) END`,
  ]);
  const all = Prisma.join([...fits.values()], ' AND ');
  const leftOut = Prisma.sql`CASE WHEN NOT (${all}) THEN json_strip_nulls(${objectOf(left)}) END`;
  return objectOf([...members, [LEFT_OUT, leftOut]]);
}

/** A Postgres function takes at most 100 arguments. */
const MAX_PAIRS = 50;

function objectOf(members: readonly (readonly [string, Prisma.Sql])[]): Prisma.Sql {
  if (members.length <= MAX_PAIRS) {
    const pairs = members.map(([name, sql]) => Prisma.sql`${text(name)}, ${sql}`);
    return Prisma.sql`json_build_object(${Prisma.join(pairs)})`;
  }
  const columns = members.map(([name, sql]) => Prisma.sql`${sql} AS ${quoted(name)}`);
  return Prisma.sql`(SELECT row_to_json(o) FROM (SELECT ${Prisma.join(columns)}) o)`;
}

/** Tests whether the value fits after the values of earlier rows and the earlier values of its row. */
function fitsSql({ answerBytes }: Shown, upTo: readonly string[], name: string): Prisma.Sql {
  const own = Prisma.join(
    upTo.map((each) => countedOne(answerBytes, each)),
    ' + ',
  );
  return Prisma.sql`(t.${sizeOf(name)} <= ${ALWAYS_SHOWN_BYTES}::int
    OR t.${sizeOf(name)} <= ${answerBytes}::bigint AND t."#before" + ${own} <= ${answerBytes}::bigint)`;
}

function counted({ answerBytes }: Shown, large: readonly string[]): Prisma.Sql {
  const parts = large.map((name) => countedOne(answerBytes, name));
  return Prisma.sql`(${Prisma.join(parts, ' + ')})`;
}

/** A value larger than the whole answer does not count. */
function countedOne(answerBytes: number, name: string): Prisma.Sql {
  return Prisma.sql`CASE WHEN t.${sizeOf(name)} <= ${answerBytes}::bigint THEN t.${sizeOf(name)} ELSE 0 END`;
}

function bytesOf(resource: Resource, name: string): Prisma.Sql {
  const { sql, large } = fieldOf(resource, name);
  return large?.bytes ?? Prisma.sql`octet_length((${sql})::text)`;
}

function linkOf(resource: Resource, name: string): Prisma.Sql {
  const { large } = fieldOf(resource, name);
  return large?.link ?? Prisma.sql`${resource.place} || ${text(`?expansion=${name}`)}`;
}

function sizeOf(name: string): Prisma.Sql {
  return quoted(`#size ${name}`);
}

function text(name: string): Prisma.Sql {
  return Prisma.raw(`'${name}'`);
}

function quoted(name: string): Prisma.Sql {
  return Prisma.raw(`"${name}"`);
}

function concat(parts: readonly Prisma.Sql[]): Prisma.Sql {
  return parts.length === 0 ? Prisma.empty : Prisma.join(parts, '');
}
