import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember, resolveRef, subschemasInPlace } from './subschemas.ts';

/** What a schema says of attributes, in all of its parts that apply to them: a root that is a `$ref`, an `allOf`, an `if`. */
export interface NamedAttributes {
  /** The schema of each name; of several, the first. */
  schemas: ReadonlyMap<string, Json>;
  /** Patterns of further names. */
  patterns: readonly string[];
  /** The required ones, except those that only an alternative or a condition requires. */
  required: ReadonlySet<string>;
}

export function namedAttributes(schema: JsonObject): NamedAttributes {
  const [schemas, patterns, required] = [new Map<string, Json>(), [] as string[], new Set<string>()];
  const look = (part: JsonObject, isAlways: boolean): void => {
    const properties = ownMember(part, 'properties');
    for (const [name, each] of isJsonObject(properties) ? Object.entries(properties) : []) {
      if (!schemas.has(name)) schemas.set(name, each);
    }
    const byPattern = ownMember(part, 'patternProperties');
    if (isJsonObject(byPattern)) patterns.push(...Object.keys(byPattern));
    if (isAlways) for (const name of (ownMember(part, 'required') ?? []) as string[]) required.add(name);
    const ref = ownMember(part, '$ref');
    const target = typeof ref === 'string' ? resolveRef(schema, ref) : undefined;
    if (isJsonObject(target)) look(target, isAlways);
    const inside = subschemasInPlace(part);
    for (const { place, schema: each } of inside) if (place[0] === 'allOf') look(each, isAlways);
    for (const { place, schema: each } of inside) if (place[0] !== 'allOf') look(each, false);
  };
  look(schema, true);
  return { schemas, patterns, required };
}
