import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { pattern } from '../expression/functions/pattern.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import { keysOf, pathIn } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { FORMATS } from './formats.ts';
import type { SchemaLimits } from './rules.ts';
import { resolveRef, subschemas } from './subschemas.ts';
import { TYPE_SLUG } from './typeSlug.ts';

const DIALECT = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** Keywords that refer outside of the schema or to a place that depends on the caller, and those of older drafts. */
const NOT_TAKEN: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    // With `$async`, Ajv returns a promise, which would count as valid for any attributes.
    ['$async', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', '$recursiveAnchor', '$vocabulary'].map(
      (each) => [each, 'this keyword is not supported'],
    ),
  ),
  dependencies: 'this keyword is of an older draft: expected dependentRequired or dependentSchemas',
  id: 'this keyword is of an older draft: expected $id, at the top of the schema',
};

let metaSchema: Ajv2020 | undefined;

/** Returns the problems of an attributeSchema; if there are none, it compiles. Paths begin with `attributeSchema`. */
export function attributeSchemaProblems(schema: JsonObject, limits: SchemaLimits): ProblemDetail[] {
  const type = ownMember(schema, 'type');
  if (type !== undefined && type !== 'object')
    return [tell(schema, ['type'], 'expected "object": attributes are an object')];
  return schemaProblems(schema, limits);
}

/** The same for the dataSchema of a queue, whose items can be any JSON. Paths begin with `dataSchema`. */
export function dataSchemaProblems(schema: JsonObject, limits: SchemaLimits): ProblemDetail[] {
  return schemaProblems(schema, limits, NOT_IN_ITEMS).map(({ path, message }) => ({
    path: path.replace(/^attributeSchema/, 'dataSchema'),
    message,
  }));
}

const NOT_IN_ITEMS = { 'x-objectType': 'only attributes of entities can be references' };

function schemaProblems(
  schema: JsonObject,
  limits: SchemaLimits,
  notTaken: Readonly<Record<string, string>> = {},
): ProblemDetail[] {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > limits.bytes) return [tell(schema, [], `expected at most ${limits.bytes} bytes of JSON, got ${bytes}`)];
  const deep = tooDeep(schema, limits.depth);
  if (deep) return [tell(schema, deep, `expected at most ${limits.depth} levels of nested schemas`)];
  metaSchema ??= new Ajv2020({ strict: false, allErrors: true, logger: false, validateFormats: false });
  const { $schema: dialect, ...rest } = schema;
  if (dialect !== undefined && !(typeof dialect === 'string' && DIALECT.test(dialect))) {
    return [tell(schema, ['$schema'], 'expected https://json-schema.org/draft/2020-12/schema')];
  }
  if (metaSchema.validateSchema(rest) !== true) {
    return schemaErrors(metaSchema.errors ?? []).map(({ instancePath, keyword, params, message }) => {
      const expected = keyword === 'enum' ? `expected one of ${params.allowedValues.join(', ')}` : message;
      return tell(schema, keysOf(instancePath), expected ?? 'is not valid');
    });
  }
  const problems: ProblemDetail[] = [];
  look({ root: schema, all: allSchemas(schema), notTaken: { ...NOT_TAKEN, ...notTaken } }, schema, [], problems);
  if (problems.length > 0) return problems;
  const nodes = expandedSize(schema, schema, new Map(), limits.nodes);
  if (nodes === undefined)
    return [tell(schema, [], 'a $ref leads back to itself: expected a schema without recursion')];
  if (nodes > limits.nodes)
    return [tell(schema, [], `expected at most ${limits.nodes} schemas, each counted for every reference to it`)];
  return [];
}

/** If several alternatives failed at one place (`type` is a name or a list), prefers those that list values. */
function schemaErrors(errors: ErrorObject[]): ErrorObject[] {
  const named = new Set(errors.filter(({ keyword }) => keyword === 'enum').map(({ instancePath }) => instancePath));
  return errors.filter(({ keyword, instancePath }) => keyword === 'enum' || !named.has(instancePath));
}

interface Whole {
  root: JsonObject;
  all: ReadonlySet<JsonObject>;
  notTaken: Readonly<Record<string, string>>;
}

function allSchemas(schema: JsonObject, all = new Set<JsonObject>()): Set<JsonObject> {
  all.add(schema);
  for (const each of subschemas(schema)) allSchemas(each.schema, all);
  return all;
}

function look(whole: Whole, schema: JsonObject, place: readonly string[], problems: ProblemDetail[]): void {
  const add = (keyword: string, message: string) => problems.push(tell(whole.root, [...place, keyword], message));
  for (const [keyword, message] of Object.entries(whole.notTaken))
    if (Object.hasOwn(schema, keyword)) add(keyword, message);
  const misplaced = place.length === 0 ? [] : ['$id', '$schema'].filter((keyword) => Object.hasOwn(schema, keyword));
  for (const keyword of misplaced) add(keyword, 'is allowed only at the top of the schema');
  for (const [keyword, problemsOf] of Object.entries(KEYWORDS)) {
    const value = ownMember(schema, keyword);
    if (value === undefined) continue;
    for (const message of problemsOf(value, schema, whole)) add(keyword, message);
  }
  for (const each of subschemas(schema)) look(whole, each.schema, [...place, ...each.place], problems);
}

type KeywordCheck = (value: Json, schema: JsonObject, whole: Whole) => string[];

const KEYWORDS: Readonly<Record<string, KeywordCheck>> = {
  $ref(ref, _, { root, all }) {
    if (typeof ref !== 'string') return [];
    const target = resolveRef(root, ref);
    if (isJsonObject(target) && all.has(target)) return [];
    return [
      `expected a reference to a schema within this one, such as "#/$defs/money", got ${quote(ref)}: other schemas are not fetched`,
    ];
  },
  format: (format) =>
    typeof format === 'string' && !FORMATS.has(format)
      ? [`${quote(format)} is not one of ${[...FORMATS].join(', ')}`]
      : [],
  pattern: (source) => (typeof source === 'string' ? patternProblems(source) : []),
  patternProperties: (patterns) => (isJsonObject(patterns) ? Object.keys(patterns).flatMap(patternProblems) : []),
  enum: (values) => (Array.isArray(values) && values.length > 0 ? [] : ['expected at least one value']),
  nullable: nullableProblems,
  'x-objectType'(slug, schema) {
    if (typeof slug !== 'string' || !TYPE_SLUG.test(slug)) return ['expected the slug of an entity type'];
    if (isText(ownMember(schema, 'type'))) return [];
    return ['expected together with "type": "string": the value is the id of an entity'];
  },
};

function isText(type: Json | undefined): boolean {
  return Array.isArray(type)
    ? type.includes('string') && type.every((each) => isText(each) || each === 'null')
    : type === 'string';
}

/** A keyword of OpenAPI 3.0, which Ajv accepts only together with a type. */
function nullableProblems(nullable: Json, schema: JsonObject): string[] {
  const type = ownMember(schema, 'type');
  const types = Array.isArray(type) ? type : [type];
  if (typeof nullable === 'boolean' && type !== undefined && (nullable || !types.includes('null'))) return [];
  return ['expected "type" with "null" instead, such as ["string", "null"]'];
}

function patternProblems(source: string): string[] {
  try {
    pattern(source);
    return [];
  } catch (error) {
    return [`${(error as Error).message} (patterns are RE2: no look-around, no back-references)`];
  }
}

/** All JSON counts, because the check reads all of it. */
function tooDeep(value: unknown, depth: number, place: readonly string[] = []): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // Each schema adds two levels of JSON: `properties` and the name.
  if (place.length > depth * 2) return place;
  for (const [name, each] of Object.entries(value)) {
    const found = tooDeep(each, depth, [...place, name]);
    if (found) return found;
  }
  return undefined;
}

/** Counts the schemas that a check visits, through references: a few can give millions. Undefined if they never end. */
function expandedSize(
  root: JsonObject,
  schema: JsonObject,
  known: Map<JsonObject, number | 'open'>,
  most: number,
): number | undefined {
  const before = known.get(schema);
  if (before !== undefined) return before === 'open' ? undefined : before;
  known.set(schema, 'open');
  let size = 1;
  const ref = ownMember(schema, '$ref');
  const target = typeof ref === 'string' ? resolveRef(root, ref) : undefined;
  const inside = subschemas(schema).filter(({ place: [keyword] }) => keyword !== '$defs' && keyword !== 'definitions');
  for (const each of [...inside.map((one) => one.schema), ...(isJsonObject(target) ? [target] : [])]) {
    const one = expandedSize(root, each, known, most);
    if (one === undefined) return undefined;
    size = Math.min(size + one, most + 1);
  }
  known.set(schema, size);
  return size;
}

function tell(root: JsonObject, place: readonly string[], message: string): ProblemDetail {
  return { path: pathIn('attributeSchema', place, root), message };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
