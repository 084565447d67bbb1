import { isJsonObject, type Json } from './json.ts';

/**
 * Reads `customer.address.city` or `lines.0.sku`. A key that itself contains dots is tried first; an empty path is the
 * item. Inherited properties are never read.
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
