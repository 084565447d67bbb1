import pg from 'pg';
import { parse as parseArray } from 'postgres-array';
import type { Json } from '../../../domain/json.ts';

type Parse = (text: string) => Json;

/** NaN and Infinity are not JSON numbers, so they stay texts. */
const number: Parse = (text) => (Number.isFinite(Number(text)) ? Number(text) : text);
const json: Parse = (text) => JSON.parse(text) as Json;
const base64: Parse = (text) => Buffer.from(text.replace(/^\\x/, ''), 'hex').toString('base64');

/** Converts `2026-11-21 10:15:30.5+00` to ISO 8601 with milliseconds, or microseconds if there are any. */
const time: Parse = (text) => {
  const [, day, clock, fraction = '', zone] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?(\+00)?$/.exec(text) ?? [];
  // infinity, and years BC.
  if (day === undefined) return text;
  return `${day}T${clock}.${fraction.slice(1).padEnd(3, '0')}${zone ? 'Z' : ''}`;
};

const { builtins } = pg.types;
const SCALARS: Readonly<Record<number, Parse>> = {
  [builtins.BOOL]: (text) => text === 't',
  [builtins.INT2]: number,
  [builtins.INT4]: number,
  [builtins.OID]: number,
  [builtins.FLOAT4]: number,
  [builtins.FLOAT8]: number,
  [builtins.JSON]: json,
  [builtins.JSONB]: json,
  [builtins.BYTEA]: base64,
  [builtins.TIMESTAMP]: time,
  [builtins.TIMESTAMPTZ]: time,
};

const ARRAYS: Readonly<Record<number, number>> = {
  1000: builtins.BOOL,
  1005: builtins.INT2,
  1007: builtins.INT4,
  1028: builtins.OID,
  1021: builtins.FLOAT4,
  1022: builtins.FLOAT8,
  199: builtins.JSON,
  3807: builtins.JSONB,
  1001: builtins.BYTEA,
  1115: builtins.TIMESTAMP,
  1185: builtins.TIMESTAMPTZ,
  1009: builtins.TEXT,
  1015: builtins.VARCHAR,
  1014: builtins.BPCHAR,
  1016: builtins.INT8,
  1231: builtins.NUMERIC,
  1182: builtins.DATE,
  1183: builtins.TIME,
  1270: builtins.TIMETZ,
  1187: builtins.INTERVAL,
  2951: builtins.UUID,
  1041: builtins.INET,
};

const same: Parse = (text) => text;

/** Values without an exact JSON type stay texts. */
export function parserOf(oid: number): Parse {
  const element = ARRAYS[oid];
  if (element === undefined) return SCALARS[oid] ?? same;
  const parse = SCALARS[element] ?? same;
  return (text) => parseArray(text, parse) as Json;
}

const NAMES = new Map(Object.entries(builtins).map(([name, oid]) => [Number(oid), name.toLowerCase()]));

/** `int4`, `text[]`, or `oid 16444` for a type defined in the database. */
export function typeName(oid: number): string {
  const element = ARRAYS[oid];
  if (element !== undefined) return `${NAMES.get(element)}[]`;
  return NAMES.get(oid) ?? `oid ${oid}`;
}
