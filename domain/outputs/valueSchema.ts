import { isJsonObject, type Json } from '../json.ts';
import { ownMember } from '../ownMember.ts';

/** What is known of a value, as a JSON Schema; `{}` where nothing is. */
export interface ValueSchema {
  type?: string | readonly string[];
  const?: Json;
  enum?: readonly Json[];
  /** Of a list. */
  items?: ValueSchema;
  /** Of a list whose every element is known. */
  prefixItems?: readonly ValueSchema[];
  properties?: Readonly<Record<string, ValueSchema>>;
  required?: readonly string[];
  additionalProperties?: false | ValueSchema;
  anyOf?: readonly ValueSchema[];
  /** Inside an expression: a time is text, and a span of time milliseconds, once it is a result. */
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

/** An object of these members, all of them there. */
export function objectOf(properties: Readonly<Record<string, ValueSchema>>): ValueSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** A value of one of them. */
export function oneOf(schemas: readonly ValueSchema[]): ValueSchema {
  const flat = schemas.flatMap((each) => each.anyOf ?? [each]);
  if (flat.some(isUnknown)) return UNKNOWN;
  const distinct = [...new Map(flat.map((each) => [JSON.stringify(each), each])).values()];
  return distinct.length === 1 ? (distinct[0] as ValueSchema) : { anyOf: distinct };
}

/** Of a value that is known: itself. */
export function literalSchema(value: Json): ValueSchema {
  if (Array.isArray(value)) return { type: 'array', prefixItems: value.map(literalSchema) };
  if (!isJsonObject(value)) return value === null ? NULL : { const: value };
  return objectOf(Object.fromEntries(Object.entries(value).map(([key, each]) => [key, literalSchema(each)])));
}

/** Of the values that are there: reading a member of null fails, so it is no case. */
function eachOf(schema: ValueSchema, read: (one: ValueSchema) => ValueSchema): ValueSchema {
  const parts = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null');
  return parts.length === 0 ? UNKNOWN : oneOf(parts.map(read));
}

/** Of a member by its name, given that it is there. */
export function memberOf(schema: ValueSchema, key: string): ValueSchema {
  return eachOf(schema, ({ properties, additionalProperties }) => {
    const own = properties && ownMember(properties, key);
    return own ?? (additionalProperties || UNKNOWN);
  });
}

/** Of any element of a list. */
export function elementOf(schema: ValueSchema): ValueSchema {
  return eachOf(schema, ({ items, prefixItems }) => {
    if (prefixItems) return prefixItems.length === 0 ? UNKNOWN : oneOf(prefixItems);
    return items ?? UNKNOWN;
  });
}

export type Kind = 'text' | 'number' | 'list' | 'time' | 'span' | 'other';

const KINDS: Readonly<Record<string, Kind>> = { string: 'text', number: 'number', integer: 'number', array: 'list' };

/** What operators see; undefined where it is not known, or differs. */
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

/** Parts of a schema that is still worth writing down. */
const MAX_PARTS = 400;

/** The schema, or nothing where it has grown by being put into itself again and again. */
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
