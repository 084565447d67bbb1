import { isJsonObject, type Json } from '../json.ts';
import { ownMember } from '../ownMember.ts';

/** The known properties of a value, as a JSON Schema; `{}` if nothing is known. */
export interface ValueSchema {
  type?: string | readonly string[];
  const?: Json;
  enum?: readonly Json[];
  items?: ValueSchema;
  /** For a list whose elements are all known. */
  prefixItems?: readonly ValueSchema[];
  properties?: Readonly<Record<string, ValueSchema>>;
  required?: readonly string[];
  additionalProperties?: false | ValueSchema;
  anyOf?: readonly ValueSchema[];
  /** Only inside an expression: as a result, a time becomes text and a duration becomes milliseconds. */
  format?: 'time' | 'span';
}

export const UNKNOWN: ValueSchema = {};
export const NULL: ValueSchema = { type: 'null' };
export const TEXT: ValueSchema = { type: 'string' };
export const NUMBER: ValueSchema = { type: 'number' };
export const FLAG: ValueSchema = { type: 'boolean' };
export const TIME: ValueSchema = { type: 'string', format: 'time' };
export const SPAN: ValueSchema = { type: 'number', format: 'span' };

function isUnknown(schema: ValueSchema): boolean {
  return Object.keys(schema).length === 0;
}

export function listOf(items: ValueSchema): ValueSchema {
  return { type: 'array', items };
}

export function objectOf(properties: Readonly<Record<string, ValueSchema>>): ValueSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export function oneOf(schemas: readonly ValueSchema[]): ValueSchema {
  const flat = schemas.flatMap((each) => each.anyOf ?? [each]);
  if (flat.some(isUnknown)) return UNKNOWN;
  const distinct = [...new Map(flat.map((each) => [JSON.stringify(each), each])).values()];
  return distinct.length === 1 ? (distinct[0] as ValueSchema) : { anyOf: distinct };
}

export function literalSchema(value: Json): ValueSchema {
  if (Array.isArray(value)) return { type: 'array', prefixItems: value.map(literalSchema) };
  if (!isJsonObject(value)) return value === null ? NULL : { const: value };
  return objectOf(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, literalSchema(each)])));
}

/** Ignores null, because reading a member of null fails. */
function eachOf(schema: ValueSchema, read: (one: ValueSchema) => ValueSchema): ValueSchema {
  const parts = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
  return parts.length === 0 ? UNKNOWN : oneOf(parts.map(read));
}

export function memberOf(schema: ValueSchema, key: string): ValueSchema {
  return eachOf(schema, ({ properties, additionalProperties }) => {
    const own = properties && ownMember(properties, key);
    return own ?? (additionalProperties || UNKNOWN);
  });
}

export function elementOf(schema: ValueSchema): ValueSchema {
  return eachOf(schema, ({ items, prefixItems }) => {
    if (prefixItems) return prefixItems.length === 0 ? UNKNOWN : oneOf(prefixItems);
    return items ?? UNKNOWN;
  });
}

export type Kind = 'text' | 'number' | 'list' | 'time' | 'span' | 'other';

const KINDS: Readonly<Record<string, Kind>> = { string: 'text', number: 'number', integer: 'number', array: 'list' };

/** Returns the kind that operators see; undefined if it is unknown or varies. */
export function kindOf(schema: ValueSchema): Kind | undefined {
  if (schema.anyOf) {
    const kinds = new Set(schema.anyOf.map(kindOf));
    return kinds.size === 1 ? [...kinds][0] : undefined;
  }
  if (schema.format !== undefined) return schema.format;
  if (schema.const !== undefined) return KINDS[typeof schema.const] ?? 'other';
  if (schema.enum) return kindOf(oneOf(schema.enum.map(literalSchema)));
  return typeof schema.type === 'string' ? (KINDS[schema.type] ?? 'other') : undefined;
}

/** Schemas with more parts are not worth keeping. */
const MAX_PARTS = 400;

/** Returns the schema, or nothing if it has grown too large by recursive nesting. */
export function bounded(schema: ValueSchema): ValueSchema {
  let left = MAX_PARTS;
  const count = ({ items, prefixItems = [], properties = {}, anyOf = [], additionalProperties }: ValueSchema) => {
    left -= 1;
    for (const each of [
      items,
      additionalProperties || undefined,
      ...prefixItems,
      ...Object.values(properties),
      ...anyOf,
    ]) {
      if (each && left > 0) count(each);
    }
  };
  count(schema);
  return left > 0 ? schema : UNKNOWN;
}
