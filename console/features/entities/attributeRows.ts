import { isJsonObject } from '../../../domain/json.ts';
import { OTHERWISE, optionsOf } from './schemaFields.ts';

type Schema = Record<string, unknown>;

export interface AttributeRow {
  key: string;
  required: boolean;
  /** The schema of the attribute, with all keywords that the form does not show. */
  schema: Schema;
}

export const ATTRIBUTE_KINDS = [
  'text',
  'longText',
  'email',
  'number',
  'integer',
  'boolean',
  'date',
  'dateTime',
  'select',
  'multiSelect',
  'reference',
  'any',
] as const;
export type AttributeKind = (typeof ATTRIBUTE_KINDS)[number];

const LONG_TEXT = 200;

const BASES: Record<AttributeKind, Schema> = {
  text: { type: 'string' },
  longText: { type: 'string', maxLength: 5_000 },
  email: { type: 'string', format: 'email' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  dateTime: { type: 'string', format: 'date-time' },
  select: { type: 'string', enum: [] },
  multiSelect: { type: 'array', items: { type: 'string', enum: [] } },
  reference: { type: 'string', 'x-objectType': '' },
  any: {},
};

const FORMATS: Readonly<Record<string, AttributeKind>> = { email: 'email', date: 'date', 'date-time': 'dateTime' };

/** Undefined: the form can name the attribute and require it, and only JSON can show the rest. */
export function attributeKind(schema: Schema): AttributeKind | undefined {
  if (OTHERWISE.some((keyword) => Object.hasOwn(schema, keyword))) return undefined;
  const { type } = schema;
  if (Object.hasOwn(schema, 'enum')) {
    return optionsOf(schema) !== undefined && (type === undefined || type === 'string') ? 'select' : undefined;
  }
  switch (type) {
    case undefined:
      return Object.keys(schema).every((keyword) => ABOUT.includes(keyword)) ? 'any' : undefined;
    case 'string':
      return textKind(schema);
    case 'number':
    case 'integer':
    case 'boolean':
      return type;
    case 'array':
      return isJsonObject(schema.items) && optionsOf(schema.items) !== undefined ? 'multiSelect' : undefined;
    default:
      return undefined;
  }
}

function textKind(schema: Schema): AttributeKind | undefined {
  if (typeof schema['x-objectType'] === 'string') return 'reference';
  if (schema.format !== undefined) return FORMATS[String(schema.format)];
  return Number(schema.maxLength ?? 0) > LONG_TEXT ? 'longText' : 'text';
}

/** Keywords that every kind keeps. */
const ABOUT = ['title', 'description'];

export function withKind(schema: Schema, kind: AttributeKind): Schema {
  const about = Object.fromEntries(Object.entries(schema).filter(([keyword]) => ABOUT.includes(keyword)));
  const before = optionsIn(schema);
  return withOptions({ ...BASES[kind], ...about }, before);
}

/** Returns the options of a choice; empty for other kinds. */
export function optionsIn(schema: Schema): string[] {
  return optionsOf(schema) ?? (isJsonObject(schema.items) ? optionsOf(schema.items) : undefined) ?? [];
}

/** Sets the options of a choice; other kinds stay as they are. */
export function withOptions(schema: Schema, options: readonly string[]): Schema {
  if (Object.hasOwn(schema, 'enum')) return { ...schema, enum: options };
  const { items } = schema;
  return isJsonObject(items) && Object.hasOwn(items, 'enum')
    ? { ...schema, items: { ...items, enum: options } }
    : schema;
}

/** Returns the attributes in their order; undefined if only JSON can show the schema. */
export function attributeRows(schema: unknown): AttributeRow[] | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { properties = {}, required = [] } = schema;
  if (!isJsonObject(properties) || !Array.isArray(required)) return undefined;
  const rows = Object.entries(properties).map(([key, each]) => ({
    ...{ key, required: required.includes(key) },
    schema: each as Schema,
  }));
  return rows.every((row) => isJsonObject(row.schema)) ? rows : undefined;
}

/** Replaces the attributes of a schema. Its other keywords stay. */
export function withAttributes(schema: Schema, rows: readonly AttributeRow[]): Schema {
  const named = rows.filter(({ key }) => key !== '');
  const required = requiredOf(schema, named);
  const { properties, required: before, ...others } = schema;
  const isNew = !Object.hasOwn(schema, 'properties');
  return {
    ...others,
    ...(required.length > 0 || Array.isArray(before) ? { required } : {}),
    ...(isNew && named.length === 0
      ? {}
      : { properties: Object.fromEntries(named.map(({ key, schema: each }) => [key, each])) }),
  };
}

/** Keeps the order, and the names that are not among the attributes of the form before or now. */
function requiredOf(schema: Schema, rows: readonly AttributeRow[]): unknown[] {
  const before = Array.isArray(schema.required) ? schema.required : [];
  const known = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const wanted = rows.filter(({ required }) => required).map(({ key }) => key);
  const kept = before.filter((key) => wanted.includes(key) || !known.includes(key));
  return [...kept, ...wanted.filter((key) => !kept.includes(key))];
}
