import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';

/** Keywords of JSON Schema 2020-12 that contain a schema, a list of schemas, or schemas by name. */
const ONE = ['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames'] as const;
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'] as const;
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
const BY_NAME = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'] as const;

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
  /** Keys of a JSON Pointer: `['properties', 'sku']`. */
  place: readonly string[];
  schema: JsonObject;
}

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

export function subschemasInPlace(schema: JsonObject): Subschema[] {
  return subschemas(schema).filter(({ place: [keyword = ''] }) => IN_PLACE.has(keyword));
}

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

/** Returns the schemas that apply through a schema: its reference, its parts and its alternatives. */
function takenIn(root: JsonObject, schema: JsonObject): Json[] {
  const ref = ownMember(schema, '$ref');
  // This terminates, because attributeSchemaProblems rejects endless references.
  const target = typeof ref === 'string' ? resolveRef(root, ref) : undefined;
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (ownMember(schema, keyword) ?? []) as Json[]);
  return target === undefined ? parts : [target, ...parts];
}

/** Returns the types that a schema, its references and its alternatives allow; empty if they do not restrict them. */
export function typesOf(root: JsonObject, schema: Json): string[] {
  if (!isJsonObject(schema)) return [];
  const type = ownMember(schema, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map(String);
  return takenIn(root, schema).flatMap((part) => typesOf(root, part));
}

/** Returns true if a schema, including its references and parts, makes its value an entity's id or a list of them. */
export function isReference(root: JsonObject, schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  if (ownMember(schema, 'x-objectType') !== undefined) return true;
  return [ownMember(schema, 'items'), ...takenIn(root, schema)].some((part) => isReference(root, part));
}
