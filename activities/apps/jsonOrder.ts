import { isJsonObject, type Json } from '../../domain/json.ts';

const TYPE_ORDER = { boolean: 0, number: 1, string: 2, list: 3, object: 4 };

function typeRank(value: Json): number {
  if (Array.isArray(value)) return TYPE_ORDER.list;
  return TYPE_ORDER[typeof value as 'boolean' | 'number' | 'string' | 'object'];
}

/**
 * A total order over present values: booleans, numbers, texts (by code unit), lists, objects.
 * The same on every machine: no locale takes part.
 */
export function compareJson(left: NonNullable<Json>, right: NonNullable<Json>): number {
  const ranks = typeRank(left) - typeRank(right);
  if (ranks !== 0) return ranks;
  if (typeof left === 'object') return compareText(canonicalText(left), canonicalText(right));
  if (typeof left === 'string') return compareText(left, right as string);
  return Number(left) - Number(right);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** JSON text with sorted keys: equal for equal values, so it serves as the key of a map. */
export function canonicalText(value: Json | undefined): string {
  if (value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${entries.join(',')}}`;
}
