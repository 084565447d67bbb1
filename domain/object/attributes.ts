import type { Json, JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';

/** Merges an update into the attributes: a supplied top-level value replaces the old one, and null removes it. */
export function mergeAttributes(present: JsonObject, supplied: JsonObject): JsonObject {
  const merged = new Map(Object.entries(present));
  for (const [name, value] of Object.entries(supplied)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

export function withoutNulls(attributes: JsonObject): JsonObject {
  return mergeAttributes({}, attributes);
}

/** Returns true if a field required by a state has a value other than null, a blank text or an empty list. */
export function isPopulated(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return !Array.isArray(value) || value.length > 0;
}

export function missingFields(attributes: JsonObject, fields: readonly string[]): string[] {
  return fields.filter((name) => !isPopulated(ownMember(attributes, name)));
}
