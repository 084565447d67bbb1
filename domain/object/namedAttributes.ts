import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import { resolveRef, subschemasInPlace } from './subschemas.ts';

/** The attributes in all parts of a schema that apply to them, such as a root `$ref`, an `allOf` or an `if`. */
export interface NamedAttributes {
  schemas: ReadonlyMap<string, Json>;
  patterns: readonly string[];
  /** Required names, except those that only an alternative or a condition requires. */
  required: ReadonlySet<string>;
}

export function namedAttributes(schema: JsonObject): NamedAttributes {
  const named = { schemas: new Map<string, Json>(), patterns: [] as string[], required: new Set<string>() };
  gather(schema, schema, true, named);
  return named;
}

interface Gathered extends NamedAttributes {
  schemas: Map<string, Json>;
  patterns: string[];
  required: Set<string>;
}

function gather(root: JsonObject, part: JsonObject, isAlways: boolean, named: Gathered): void {
  for (const [name, each] of Object.entries(objectAt(part, 'properties'))) {
    if (!named.schemas.has(name)) named.schemas.set(name, each);
  }
  named.patterns.push(...Object.keys(objectAt(part, 'patternProperties')));
  const required = isAlways ? ((ownMember(part, 'required') ?? []) as string[]) : [];
  for (const name of required) named.required.add(name);
  const ref = ownMember(part, '$ref');
  const target = typeof ref === 'string' ? resolveRef(root, ref) : undefined;
  if (isJsonObject(target)) gather(root, target, isAlways, named);
  const inside = subschemasInPlace(part);
  const isAll = ({ place }: (typeof inside)[number]) => place[0] === 'allOf';
  for (const each of inside.filter(isAll)) gather(root, each.schema, isAlways, named);
  for (const each of inside.filter((one) => !isAll(one))) gather(root, each.schema, false, named);
}

function objectAt(schema: JsonObject, keyword: string): JsonObject {
  const value = ownMember(schema, keyword);
  return isJsonObject(value) ? value : {};
}
