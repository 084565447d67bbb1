import { isJsonObject, type Json } from '../../domain/json.ts';

const TYPE_ORDER = { boolean: 0, number: 1, string: 2, list: 3, object: 4 };

function typeRank(value: Json): number {
  if (Array.isArray(value)) return TYPE_ORDER.list;
  return TYPE_ORDER[typeof value as 'boolean' | 'number' | 'string' | 'object'];
}

export interface JsonOrderKey {
  rank: number;
  key: boolean | number | string;
}

export function orderKey(value: NonNullable<Json>): JsonOrderKey {
  return { rank: typeRank(value), key: typeof value === 'object' ? canonicalText(value) : value };
}

/** Booleans, numbers, texts (by code unit), lists, objects. Independent of the locale. */
export function compareKeys(left: JsonOrderKey, right: JsonOrderKey): number {
  const ranks = left.rank - right.rank;
  if (ranks !== 0) return ranks;
  if (typeof left.key === 'string') return compareText(left.key, right.key as string);
  return Number(left.key) - Number(right.key);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** JSON with sorted keys, which is equal for equal values and can be the key of a map. */
export function canonicalText(value: Json | undefined): string {
  if (value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key])}`);
  return `{${entries.join(',')}}`;
}
