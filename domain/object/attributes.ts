import type { Json, JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';

/** The attributes after an update: at the top level a supplied value replaces the old one, and null removes it. */
export function mergeAttributes(present: JsonObject, supplied: JsonObject): JsonObject {
  const merged = new Map(Object.entries(present));
  for (const [name, value] of Object.entries(supplied)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** Null means that there is none: it is not kept. */
export function withoutNulls(attributes: JsonObject): JsonObject {
  return mergeAttributes({}, attributes);
}

/** Whether a field that a state requires holds something: not nothing, a blank text or an empty list. */
export function isPopulated(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return !Array.isArray(value) || value.length > 0;
}

/** The empty ones of the fields. */
export function missingFields(attributes: JsonObject, fields: readonly string[]): string[] {
  return fields.filter((name) => !isPopulated(ownMember(attributes, name)));
}
