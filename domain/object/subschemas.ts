import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';

/** Keywords of JSON Schema 2020-12 that hold a schema, a list of them, or schemas by name. */
const ONE = ['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'] as const;
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'] as const;
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const;

/** Keywords whose subschemas apply to the same value as their parent. */
const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

export interface Subschema {
  /** As JSON Pointer counts: `['properties', 'sku']`. */
  place: readonly string[];
  schema: JsonObject;
}

/** The schemas directly inside one. `true` and `false` say nothing that has to be looked at. */
export function subschemas(schema: JsonObject): Subschema[] {
  const found: Subschema[] = [];
  const add = (place: readonly string[], value: Json | undefined) => {
    if (isJsonObject(value)) found.push({ place, schema: value });
  };
  for (const keyword of [...ONE, ...UNEVALUATED]) add([keyword], ownMember(schema, keyword));
  for (const keyword of LIST) {
    const list = ownMember(schema, keyword);
    for (const [index, each] of Array.isArray(list) ? list.entries() : []) add([keyword, String(index)], each);
  }
  for (const keyword of BY_NAME) {
    const named = ownMember(schema, keyword);
    if (!isJsonObject(named)) continue;
    for (const [name, each] of Object.entries(named)) add([keyword, name], each);
  }
  return found;
}

/** The subschemas that apply to the same value. */
export function subschemasInPlace(schema: JsonObject): Subschema[] {
  return subschemas(schema).filter(({ place: [keyword = ''] }) => IN_PLACE.has(keyword));
}

/** The schema that `#/…` names within the root; undefined where there is none. */
export function resolveRef(root: JsonObject, ref: string): Json | undefined {
  if (ref === '#') return root;
  if (!ref.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const part of ref.slice(2).split('/')) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(name)];
    else at = isJsonObject(at) ? ownMember(at, name) : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Slugs of the entity types to which attributes refer. */
export function referencedTypes(schema: JsonObject | null): string[] {
  const slugs = new Set<string>();
  const look = (each: JsonObject): void => {
    const slug = ownMember(each, 'x-objectType');
    if (typeof slug === 'string') slugs.add(slug);
    for (const inside of subschemas(each)) look(inside.schema);
  };
  if (schema) look(schema);
  return [...slugs];
}

/** The schemas that a schema takes in: the one that it refers to, and its parts and alternatives. */
function takenIn(root: JsonObject, schema: JsonObject): Json[] {
  const ref = ownMember(schema, '$ref');
  // References within a schema end (attributeSchemaProblems).
  const target = typeof ref === 'string' ? resolveRef(root, ref) : undefined;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (ownMember(schema, keyword) ?? []) as Json[]);
  return target === undefined ? parts : [target, ...parts];
}

/** The types that a schema, its references and its alternatives name; none where it leaves them open. */
export function typesOf(root: JsonObject, schema: Json): string[] {
  if (!isJsonObject(schema)) return [];
  const type = ownMember(schema, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map(String);
  return takenIn(root, schema).flatMap((part) => typesOf(root, part));
}

/** Whether a schema, by its references and parts too, makes its value the id of an entity, or a list of them. */
export function isReference(root: JsonObject, schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  if (ownMember(schema, 'x-objectType') !== undefined) return true;
  return [ownMember(schema, 'items'), ...takenIn(root, schema)].some((part) => isReference(root, part));
}
