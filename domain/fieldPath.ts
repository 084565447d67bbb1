import { isJsonObject, type Json } from './json.ts';

/**
 * The value at `customer.address.city` or `lines.0.sku` of an item; undefined where there is none.
 * A key that holds dots itself is found first; the empty path is the item. Inherited properties are never seen.
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
