import type { Json } from '../../domain/json.ts';
import { Prisma } from '../generated/client.ts';

/** The type of a column, and how its value stands in JSON: as it is, of `jsonb` its text, of `bytea` Base64. */
type PlainType = 'text' | 'jsonb' | 'int' | 'bigint' | 'float8' | 'boolean' | 'timestamptz' | 'uuid' | 'bytea';

export interface PlainColumn {
  name: string;
  type: PlainType;
}

/** The assignment of a plain column for Resource.changes. */
export function column(name: string, type: PlainType = 'text') {
  const assigns = (value: Json): Prisma.Sql =>
    Prisma.sql`${Prisma.raw(name)} = ${fromJson(type, Prisma.sql`${inJson(type, value)}`)}`;
  return Object.assign(assigns, { plain: { name, type } });
}

/** A value as it stands in a record for fromJson. */
export function inJson(type: PlainType, value: Json): Json {
  return type === 'jsonb' ? JSON.stringify(value) : value;
}

/** A value of inJson as one of the column. */
export function fromJson(type: PlainType, value: Prisma.Sql): Prisma.Sql {
  return type === 'bytea' ? Prisma.sql`decode(${value}::text, 'base64')` : Prisma.sql`${value}::${Prisma.raw(type)}`;
}
