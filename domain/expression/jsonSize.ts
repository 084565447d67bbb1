import { isJsonObject, type Json } from '../json.ts';

const MAX_LEVELS = 256;

/** Never too high. Stops above `most`, because a value that is referenced several times is visited each time. */
export function jsonSize(value: Json, most: number, level = 0): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return numberSize(value);
  if (typeof value !== 'object' || value === null) return 4;
  if (level >= MAX_LEVELS) return 2;
  let size = 2;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && size <= most; at += 1) {
      size += jsonSize(value[at] as Json, most - size, level + 1) + 1;
    }
    return size;
  }
  if (!isJsonObject(value)) return size;
  for (const key of Object.keys(value)) {
    if (size > most) break;
    size += key.length + 4 + jsonSize(value[key] as Json, most - size, level + 1);
  }
  return size;
}

function numberSize(value: number): number {
  const size = Math.abs(value);
  if (!Number.isInteger(value)) return 3;
  return size < 10 ? 1 : size < 100_000 ? 2 : 6;
}
