import type { FieldPacket } from 'mysql2';
import type { Json } from '../../../domain/json.ts';

/** MySQL's numbers of column types. */
const TIMESTAMP = 7;
const DATETIME = 12;
const JSON_TYPE = 245;

/** `names`: mysql2's names of column types by number. */
export function typeName(field: FieldPacket, names: Readonly<Record<number, string>>): string {
  return (names[field.columnType ?? -1] ?? `type ${field.columnType}`).toLowerCase();
}

/** Values without an exact JSON type are texts already; bytes become Base64. */
export function jsonValue(value: unknown, { columnType }: FieldPacket): Json {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value.toString('base64');
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'string') return JSON.parse(JSON.stringify(value)) as Json;
  if (columnType === JSON_TYPE) return parsed(value);
  return columnType === TIMESTAMP || columnType === DATETIME ? isoTime(value, columnType === TIMESTAMP) : value;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** Converts `2026-11-21 10:15:30.5` to ISO 8601 with milliseconds, or microseconds if there are any. */
function isoTime(text: string, isUtc: boolean): string {
  const [, day, clock, fraction = ''] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?$/.exec(text) ?? [];
  // The zero date of MySQL is no time.
  if (day === undefined || day.startsWith('0000')) return text;
  const digits = fraction.slice(1).replace(/0+$/, '').padEnd(3, '0');
  return `${day}T${clock}.${digits}${isUtc ? 'Z' : ''}`;
}
