import { isJsonObject, type Json } from './json.ts';

/**
 * Reads `lines.0.sku`. A key that contains dots is tried first; an empty path is the item. Ignores inherited members.
 */
export function valueAt(item: Json, path: string): Json | undefined {
  if (path === '') return item;
  if (isJsonObject(item) && Object.hasOwn(item, path)) return item[path];
  let value: Json | undefined = item;
  for (const part of path.split('.')) {
    if (Array.isArray(value)) value = /^\d+$/.test(part) ? value[Number(part)] : undefined;
    else if (isJsonObject(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}
