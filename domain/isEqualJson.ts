import { isJsonObject } from './json.ts';

/** The order of keys is ignored and undefined members count as absent, as in canonicalJson. */
export function isEqualJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((entry, index) => isEqualJson(entry, other[index]));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one).filter((key) => one[key] !== undefined);
  const others = Object.keys(other).filter((key) => other[key] !== undefined);
  if (keys.length !== others.length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isEqualJson(one[key], other[key]));
}
