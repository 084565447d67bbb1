import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import type { OutputSchema } from './outputSchema.ts';

/** More would bury the first ones. */
const MAX_WARNINGS = 10;

/** Returns where an output differs from the schema in its action's manifest, as texts for people. */
export function outputWarnings(schema: OutputSchema | undefined, output: Json): string[] {
  const warnings: string[] = [];
  if (schema !== undefined) compare(schema, output, 'output', warnings);
  return warnings.slice(0, MAX_WARNINGS);
}

function compare(schema: OutputSchema, value: Json, place: string, warnings: string[]): void {
  if (warnings.length >= MAX_WARNINGS) return;
  const { type, items } = schema;
  const types: readonly string[] = type === undefined ? [] : typeof type === 'string' ? [type] : type;
  if (types.length > 0 && !types.some((each) => isOfType(value, each))) {
    warnings.push(`${place} is ${kindOf(value)}; the manifest says ${types.join(' or ')}`);
    return;
  }
  if (Array.isArray(value) && items) {
    for (const [index, each] of value.entries()) {
      if (warnings.length >= MAX_WARNINGS) return;
      compare(items, each, `${place}[${index}]`, warnings);
    }
  }
  if (isJsonObject(value)) compareMembers(schema, value, place, warnings);
}

function compareMembers(schema: OutputSchema, value: JsonObject, place: string, warnings: string[]): void {
  const { properties = {}, required = [], additionalProperties } = schema;
  for (const key of required) {
    if (!Object.hasOwn(value, key)) warnings.push(`${place} lacks ${key}, which the manifest requires`);
  }
  for (const [key, member] of Object.entries(value)) {
    if (warnings.length >= MAX_WARNINGS) return;
    const own = ownMember(properties, key);
    if (own) compare(own, member, `${place}.${key}`, warnings);
    else if (additionalProperties === false) warnings.push(`${place}.${key} is not in the manifest`);
  }
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isOfType(value: Json, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : kindOf(value) === type;
}
