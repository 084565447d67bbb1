import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import { isPopulated } from './attributes.ts';
import type { CompiledRules } from './compiledRules.ts';
import { columnOf } from './importColumns.ts';
import { samplePattern } from './samplePattern.ts';
import { requiredFieldsOf } from './stateSchema.ts';
import { resolveRef } from './subschemas.ts';

export interface ImportTemplate {
  headers: string[];
  sampleRow: JsonObject;
}

/** An optional attribute without a possible value stays empty. */
export function importTemplate(
  name: string,
  rules: CompiledRules,
  referenceTo: (slug: string) => string | undefined,
): ImportTemplate {
  const { attributeSchema, stateSchema, named } = rules;
  const schema = attributeSchema ?? {};
  const required = new Set([...named.required, ...requiredFieldsOf(stateSchema, stateSchema?.initial ?? null)]);
  const names = [...new Set([...named.schemas.keys(), ...required])].filter(rules.knows);
  const samples = new Map(names.map((each) => [each, sampleOf(schema, named.schemas.get(each) ?? true, referenceTo)]));
  const attributes = Object.fromEntries([...samples].filter(([each]) => required.has(each)));
  const problems = (some: JsonObject) => rules.check(some).errors.length;
  // Leaves out values that conflict with others. A row may have problems until all required values are there.
  for (const [each, value] of samples) {
    if (required.has(each) || !isPopulated(value)) continue;
    if (problems({ ...attributes, [each]: value }) <= problems(attributes)) attributes[each] = value;
  }
  const columns = names.map((each) => [columnOf(each, rules), attributes[each] ?? null] as const);
  return {
    headers: ['name', ...columns.map(([column]) => column)],
    sampleRow: { name: `Sample ${name}`, ...Object.fromEntries(columns) },
  };
}

export function sampleOf(root: JsonObject, given: Json, referenceTo: (slug: string) => string | undefined): Json {
  if (!isJsonObject(given)) return 'sample';
  const schema = merged(root, given);
  const constant = ownMember(schema, 'const');
  if (constant !== undefined && constant !== null) return constant;
  // Empty values count as absent in a row and for a state.
  const said = [
    first(ownMember(schema, 'examples')),
    ownMember(schema, 'default'),
    ...((ownMember(schema, 'enum') ?? []) as Json[]),
  ].find(isPopulated);
  if (said !== undefined) return said;
  const target = ownMember(schema, 'x-objectType');
  if (typeof target === 'string') return referenceTo(target) ?? null;
  switch (typeOf(schema)) {
    case 'boolean':
      return true;
    case 'number':
    case 'integer':
      return sampleNumber(schema);
    case 'array':
      return sampleList(root, schema, referenceTo);
    case 'object':
      return sampleObject(root, schema, referenceTo);
    case 'null':
      return null;
    default:
      return sampleText(schema);
  }
}

function merged(root: JsonObject, schema: JsonObject): JsonObject {
  const ref = ownMember(schema, '$ref');
  const parts = [
    typeof ref === 'string' ? resolveRef(root, ref) : undefined,
    ...((ownMember(schema, 'allOf') ?? []) as Json[]),
    first(ownMember(schema, 'anyOf')),
    first(ownMember(schema, 'oneOf')),
  ].filter(isJsonObject);
  const wholes = [...parts.map((part) => merged(root, part)), schema];
  const all = Object.assign({}, ...wholes);
  const properties = wholes.map((each) => ownMember(each, 'properties')).filter(isJsonObject);
  if (properties.length > 0) all.properties = Object.assign({}, ...properties);
  const required = wholes.flatMap((each) => (ownMember(each, 'required') ?? []) as string[]);
  if (required.length > 0) all.required = [...new Set(required)];
  return all;
}

function typeOf(schema: JsonObject): string | undefined {
  const type = ownMember(schema, 'type');
  if (typeof type === 'string') return type;
  if (Array.isArray(type)) return type.map(String).find((each) => each !== 'null');
  if (isJsonObject(ownMember(schema, 'properties'))) return 'object';
  if (ownMember(schema, 'items') !== undefined) return 'array';
  return ['minimum', 'maximum', 'multipleOf'].some((name) => ownMember(schema, name) !== undefined)
    ? 'number'
    : undefined;
}

const TEXTS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  time: '10:15:30Z',
  'date-time': '2026-01-31T10:15:30Z',
  'iso-time': '10:15:30Z',
  'iso-date-time': '2026-01-31T10:15:30Z',
  duration: 'P1D',
  uri: 'https://example.com/',
  url: 'https://example.com/',
  'uri-reference': '/path',
  'uri-template': 'https://example.com/{id}',
  email: 'someone@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  regex: '^a$',
  uuid: '00000000-0000-4000-8000-000000000000',
  'json-pointer': '/a',
  'json-pointer-uri-fragment': '#/a',
  'relative-json-pointer': '0/a',
  byte: 'YQ==',
};

function sampleText(schema: JsonObject): string {
  const format = ownMember(schema, 'format');
  const known = typeof format === 'string' ? TEXTS[format] : undefined;
  if (known !== undefined) return known;
  const pattern = ownMember(schema, 'pattern');
  const made = typeof pattern === 'string' ? samplePattern(pattern) : undefined;
  const least = numberOf(schema, 'minLength') ?? 0;
  const most = numberOf(schema, 'maxLength') ?? Number.MAX_SAFE_INTEGER;
  const text = made ?? 'sample';
  const long = text.length < least ? text.padEnd(least, text.at(-1) ?? 'a') : text;
  return made === undefined ? long.slice(0, most) : long;
}

function sampleNumber(schema: JsonObject): number {
  const above = numberOf(schema, 'exclusiveMinimum');
  const step = numberOf(schema, 'multipleOf') ?? 1;
  const least = numberOf(schema, 'minimum') ?? (above === undefined ? undefined : above + step / 1_000);
  const below = numberOf(schema, 'exclusiveMaximum');
  const most = numberOf(schema, 'maximum') ?? (below === undefined ? undefined : below - step / 1_000);
  const wanted = Math.min(Math.max(1, least ?? 1), most ?? Number.MAX_SAFE_INTEGER);
  const up = asWritten(Math.ceil(wanted / step) * step);
  const value = most !== undefined && up > most ? asWritten(Math.floor(wanted / step) * step) : up;
  const isWhole = typeOf(schema) === 'integer' || ownMember(schema, 'multipleOf') !== undefined;
  if (isWhole || (value >= (least ?? value) && value <= (most ?? value))) return value;
  return least !== undefined && most !== undefined ? (least + most) / 2 : wanted;
}

/** Drops the last digits, which are wrong in a product of binary fractions: 0.3 instead of 0.30000000000000004. */
function asWritten(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15));
}

function sampleList(root: JsonObject, schema: JsonObject, referenceTo: (slug: string) => string | undefined): Json[] {
  const before = (ownMember(schema, 'prefixItems') ?? []) as Json[];
  const least = numberOf(schema, 'minItems') ?? 0;
  const items = before.map((each) => sampleOf(root, each, referenceTo));
  const contains = ownMember(schema, 'contains');
  const needed = contains === undefined ? 0 : (numberOf(schema, 'minContains') ?? 1);
  for (let count = 0; count < Math.min(needed, 100); count++) items.push(sampleOf(root, contains ?? true, referenceTo));
  const item = ownMember(schema, 'items') ?? true;
  // A reference to a type without entities has no sample.
  if (least === 0 && items.length === 0 && sampleOf(root, item, referenceTo) === null) return [];
  const wanted = Math.min(Math.max(least, 1), 100);
  const isSet = ownMember(schema, 'uniqueItems') === true;
  while (items.length < wanted)
    items.push(isSet ? other(root, item, items, referenceTo) : sampleOf(root, item, referenceTo));
  return items;
}

function other(root: JsonObject, item: Json, items: Json[], referenceTo: (slug: string) => string | undefined): Json {
  const value = sampleOf(root, item, referenceTo);
  const schema = isJsonObject(item) ? merged(root, item) : {};
  const choices = [value, ...((ownMember(schema, 'enum') ?? []) as Json[])];
  const step = numberOf(schema, 'multipleOf') ?? 1;
  if (typeof value === 'number') {
    const distance = items.length * step;
    choices.push(asWritten(value + distance), asWritten(value - distance));
  }
  if (typeof value === 'string') choices.push(`${value}${items.length}`, `${items.length}${value}`);
  return choices.find((each) => !items.includes(each)) ?? value;
}

function sampleObject(
  root: JsonObject,
  schema: JsonObject,
  referenceTo: (slug: string) => string | undefined,
): JsonObject {
  const properties = (ownMember(schema, 'properties') ?? {}) as JsonObject;
  const required = (ownMember(schema, 'required') ?? []) as string[];
  return Object.fromEntries(
    required.map((name) => [name, sampleOf(root, ownMember(properties, name) ?? true, referenceTo)]),
  );
}

function numberOf(schema: JsonObject, name: string): number | undefined {
  const value = ownMember(schema, name);
  return typeof value === 'number' ? value : undefined;
}

function first(list: Json | undefined): Json | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}
