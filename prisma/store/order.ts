import { Prisma } from '../generated/client.ts';

/** Decides how the values of a key are written to cursors and checked (cursor.ts). */
export type KeyType = 'time' | 'text' | 'int' | 'bigint' | 'numeric' | 'boolean' | 'uuid' | 'json';

export interface OrderKey {
  sql: Prisma.Sql;
  type: KeyType;
  direction: 'asc' | 'desc';
  /** Nulls come last in both directions. */
  nullable?: true;
}

/** Ties are ordered by id, in the direction of the last key. */
export interface Order {
  /** Cursors are valid only for the order of this name. */
  name: string;
  keys: readonly [OrderKey, ...OrderKey[]];
  /** Rows may move while a client pages: `changedRows.ts` lists moved rows again. */
  moves?: Moves;
}

export interface Moves {
  /** The time to which a change of the row sets this key. */
  at: Prisma.Sql;
  /** The rows that may have moved; default: all changed rows. */
  only?: Prisma.Sql;
}

export const LAST_UPDATED: Order = {
  name: '-updatedAt',
  keys: [{ sql: Prisma.sql`t.updated_at`, type: 'time', direction: 'desc' }],
  moves: { at: Prisma.sql`t.updated_at` },
};

export const LAST_CREATED: Order = {
  name: '-createdAt',
  keys: [{ sql: Prisma.sql`t.created_at`, type: 'time', direction: 'desc' }],
};

const CASTS: Record<KeyType, Prisma.Sql> = {
  time: Prisma.sql`timestamptz`,
  text: Prisma.sql`text`,
  int: Prisma.sql`int`,
  bigint: Prisma.sql`bigint`,
  numeric: Prisma.sql`numeric`,
  boolean: Prisma.sql`boolean`,
  uuid: Prisma.sql`uuid`,
  json: Prisma.sql`jsonb`,
};

export function orderKeysOf(order: Order): OrderKey[] {
  const last = order.keys.at(-1) ?? order.keys[0];
  return [...order.keys, { sql: Prisma.sql`t.id`, type: 'uuid', direction: last.direction }];
}

export function orderBy(keys: readonly OrderKey[]): Prisma.Sql {
  const parts = keys.map(({ sql, direction, nullable }) => {
    const way = direction === 'asc' ? Prisma.sql`ASC` : Prisma.sql`DESC`;
    return nullable ? Prisma.sql`${sql} ${way} NULLS LAST` : Prisma.sql`${sql} ${way}`;
  });
  return Prisma.join(parts, ', ');
}

/** Formats a key's value for a cursor; `sql` is the key, or an expression of its type. */
export function keyText(type: KeyType, sql: Prisma.Sql): Prisma.Sql {
  return type === 'time'
    ? Prisma.sql`to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : Prisma.sql`(${sql})::text`;
}

export function afterPosition(keys: readonly OrderKey[], position: readonly (string | null)[]): Prisma.Sql {
  const values = keys.map(({ type }, index) => Prisma.sql`${position[index] ?? null}::${CASTS[type]}`);
  const [first] = keys;
  if (first && keys.every(({ direction, nullable }) => direction === first.direction && !nullable)) {
    const sides = [Prisma.join(keys.map(({ sql }) => sql)), Prisma.join(values)];
    return Prisma.sql`(${sides[0]}) ${first.direction === 'asc' ? Prisma.sql`>` : Prisma.sql`<`} (${sides[1]})`;
  }
  return afterInTurn(keys, position, values);
}

/** Tests the first key, then the others on equality. The bound of the first key is a separate condition, for an index. */
function afterInTurn(
  [key, ...keys]: readonly OrderKey[],
  [text, ...position]: readonly (string | null)[],
  [value, ...values]: readonly Prisma.Sql[],
): Prisma.Sql {
  if (!key || !value) return Prisma.sql`false`;
  const { sql, direction, nullable } = key;
  const rest = afterInTurn(keys, position, values);
  if (text === null || text === undefined) return Prisma.sql`(${sql} IS NULL AND ${rest})`;
  const beyond = direction === 'asc' ? Prisma.sql`>` : Prisma.sql`<`;
  const decided = Prisma.sql`(${sql} ${beyond} ${value} OR (${sql} = ${value} AND ${rest}))`;
  if (nullable) return Prisma.sql`(${sql} IS NULL OR ${decided})`;
  return Prisma.sql`(${sql} ${beyond}= ${value} AND ${decided})`;
}
