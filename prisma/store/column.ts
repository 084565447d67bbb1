import type { Json } from '../../domain/json.ts';
import { Prisma } from '../generated/client.ts';

/** JSON contains the value itself, for `json` and `jsonb` its text, for `bytea` Base64. */
type PlainType = 'text' | 'json' | 'jsonb' | 'int' | 'bigint' | 'float8' | 'boolean' | 'timestamptz' | 'uuid' | 'bytea';

export interface PlainColumn {
  name: string;
  type: PlainType;
}

export function column(name: string, type: PlainType = 'text') {
  const assigns = (value: Json): Prisma.Sql =>
    Prisma.sql`${Prisma.raw(name)} = ${fromJson(type, Prisma.sql`${inJson(type, value)}`)}`;
  return Object.assign(assigns, { plain: { name, type } });
}

export function inJson(type: PlainType, value: Json): Json {
  if (type !== 'json' && type !== 'jsonb') return value;
  return type === 'json' && value === null ? null : JSON.stringify(value);
}

export function fromJson(type: PlainType, value: Prisma.Sql): Prisma.Sql {
  return type === 'bytea' ? Prisma.sql`decode(${value}::text, 'base64')` : Prisma.sql`${value}::${Prisma.raw(type)}`;
}
