import { Ajv2020, type ErrorObject, str, type ValidateFunction } from 'ajv/dist/2020.js';
import { isFound } from '../expression/functions/pattern.ts';
import { asUnit, chargeAtWorst, LimitReached } from '../expression/meter.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { ownMember } from '../ownMember.ts';
import { keysOf, pathIn, pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import { canonicalJson } from '../workflow/canonical.ts';
import { addFormats } from './formats.ts';
import { isMultiple } from './isMultiple.ts';
import { literalErrors } from './literalErrors.ts';
import { type NamedAttributes, namedAttributes } from './namedAttributes.ts';
import { EXTENSIONS, type ObjectRules } from './rules.ts';
import { isReference, subschemas, typesOf } from './subschemas.ts';

export interface ObjectReference {
  /** Path of the value: `attributes.customer`. */
  path: string;
  attribute: string;
  slug: string;
  id: string;
}

export interface CheckedAttributes {
  errors: ProblemDetail[];
  /** Attributes that the type does not have, if it allows no others. */
  unknown: string[];
  /** References in the attributes, not checked for existence. */
  references: ObjectReference[];
}

export interface CompiledRules extends ObjectRules {
  /** `exists` checks a reference; default: all exist. Charges its work, so it throws LimitReached or InlineSpent. */
  check(attributes: JsonObject, exists?: (reference: ObjectReference) => boolean): CheckedAttributes;
  /** Checks what the texts of a definition tell: an expression can become any value. `isPart`: they will be merged. */
  checkLiterals(attributes: JsonObject, as: { isPart: boolean }): Omit<CheckedAttributes, 'references'>;
  /** Compiles the schema before the first check does. Throws Ajv's error for an invalid schema. */
  prepare(): void;
  /** Characters of the attributeSchema as JSON. Compiling takes about 10 ms per thousand. */
  schemaLength: number;
  knows(attribute: string): boolean;
  named: NamedAttributes;
  hasReferences: boolean;
}

/** The maximum number of reported problems per entity: a list of a thousand wrong items is one mistake. */
const MAX_ERRORS = 100;

/** The schema must have no problems. The first check compiles it (milliseconds); large ones only in another thread. */
export function compileRules(rules: ObjectRules): CompiledRules {
  const schema = rules.isOfItems ? ofData(rules.attributeSchema ?? {}) : (rules.attributeSchema ?? {});
  const schemaText = JSON.stringify(schema);
  const named = namedAttributes(schema);
  const isNamed = (name: string) =>
    name === EXTENSIONS ||
    named.schemas.has(name) ||
    named.required.has(name) ||
    named.patterns.some((source) => isFound(source, name));
  // Parts of a schema about all or other names do not apply to `extensions`.
  const isRestricted = named.schemas.has(EXTENSIONS) || named.required.has(EXTENSIONS);
  const knows = (name: string) => rules.allowUnknownAttributes || isNamed(name);
  let compiledOnce: ValidateFunction | undefined;
  const validating = () => {
    compiledOnce ??= compiled(schema);
    return compiledOnce;
  };
  return {
    ...rules,
    prepare: () => void validating(),
    schemaLength: schemaText.length,
    knows,
    named,
    hasReferences: schemaText.includes('"x-objectType"'),
    check: (attributes, exists = () => true) => asUnit(() => checked(attributes, exists)),
    checkLiterals: (attributes, as) =>
      asUnit(() => {
        const found = literalErrors(failures({ attributes, references: [], exists: () => true }), attributes, as);
        return { errors: detailsOf(found, attributes), unknown: unknownIn(attributes) };
      }),
  };

  function checked(attributes: JsonObject, exists: (reference: ObjectReference) => boolean): CheckedAttributes {
    const references: ObjectReference[] = [];
    const found = failures({ references, attributes, exists });
    return { errors: detailsOf(found, attributes), unknown: unknownIn(attributes), references };
  }

  function failures(context: CheckContext): ErrorObject[] {
    const { attributes } = context;
    const parts = partsOf(attributes);
    // Each part is checked by the schemas of its place, in the worst case by all.
    chargeAtWorst((parts * schemaText.length) / SCHEMA_BYTES_A_UNIT, parts);
    const isChecked = isRestricted || !Object.hasOwn(attributes, EXTENSIONS);
    const validate = validating();
    const holds = validate.call(context, isChecked ? attributes : withoutExtensions(attributes));
    return holds ? [] : (validate.errors ?? []).filter((error) => !isOfStranger(error, isNamed));
  }

  function unknownIn(attributes: JsonObject): string[] {
    return Object.keys(attributes).filter((name) => !knows(name));
  }
}

function detailsOf(errors: readonly ErrorObject[], attributes: JsonObject): ProblemDetail[] {
  return errors.slice(0, MAX_ERRORS).map((error) => detailOf(error, attributes));
}

/** Its own id keeps the references within it: `#/$defs/money` still points into the schema of `data`. */
function ofData({ $schema: _, ...schema }: JsonObject): JsonObject {
  return { properties: { data: { ...schema, $id: 'perdure:data' } }, required: ['data'] };
}

/** A check costs about one unit of work per part for each this many bytes of the schema. */
const SCHEMA_BYTES_A_UNIT = 1_000;

function partsOf(value: Json): number {
  if (typeof value !== 'object' || value === null) return 1;
  let parts = 1;
  for (const each of Object.values(value)) parts += partsOf(each);
  return parts;
}

export type AttributesCheck = (
  rules: CompiledRules,
  attributes: JsonObject,
  exists?: (reference: ObjectReference) => boolean,
) => CheckedAttributes | Promise<CheckedAttributes>;

export interface ObjectChecks {
  /** OBJECT_MAX_BYTES, counted as JSON. */
  maxBytes: number;
  check: AttributesCheck;
}

/** `this` in a check's keywords. */
interface CheckContext {
  references: ObjectReference[];
  attributes: JsonObject;
  exists(reference: ObjectReference): boolean;
}

const LARGE = 8_192;

function compiled(schema: JsonObject): ValidateFunction {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    // An attribute may have the name of an Object member: `constructor`.
    ownProperties: true,
    passContext: true,
    logger: false,
    // RE2 matches every pattern in linear time. Ajv caches a regExp by its toString().
    code: {
      // Optimizing takes two fifths of the compile time, too much for a large schema.
      optimize: JSON.stringify(schema).length < LARGE,
      regExp: Object.assign(
        (source: string) => ({ test: (text: string) => isFound(source, text), toString: () => source }),
        { code: 'RE2' },
      ),
    },
  });
  addFormats(ajv);
  // Ajv's own keyword does not report which attribute is too expensive for its pattern.
  ajv.removeKeyword('pattern');
  ajv.addKeyword({
    keyword: 'pattern',
    type: 'string',
    schemaType: 'string',
    error: { message: ({ schemaCode }) => str`must match pattern "${schemaCode}"` },
    validate(this: CheckContext, source: string, text: string, _: unknown, at?: { instancePath: string }) {
      try {
        return isFound(source, text);
      } catch (error) {
        if (!(error instanceof LimitReached)) throw error;
        throw new LimitReached(error.message, pathIn('attributes', keysOf(at?.instancePath ?? ''), this.attributes));
      }
    },
  });
  // Ajv's own keyword compares all pairs of items.
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: { message: 'must have distinct items' },
    validate: (wanted: boolean, items: Json[]) => !wanted || new Set(items.map(canonicalJson)).size === items.length,
  });
  // Ajv's own keyword divides binary fractions.
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
    validate: (step: number, value: number) => isMultiple(value, step),
  });
  ajv.addKeyword({
    keyword: 'x-objectType',
    type: 'string',
    errors: false,
    validate(this: CheckContext, slug: string, id: string, _: unknown, at?: { instancePath: string }) {
      const keys = keysOf(at?.instancePath ?? '');
      const [attribute = ''] = keys;
      const reference = { path: pathIn('attributes', keys, this.attributes), attribute, slug, id };
      this.references.push(reference);
      return this.exists(reference);
    },
  });
  return ajv.compile(ownRules(schema));
}

/** Removes what the platform decides: the type's flag allows unknown attributes, `extensions` is always allowed. */
function ownRules({ $schema: _, $id: __, ...schema }: JsonObject): JsonObject {
  const rules: JsonObject = { ...schema, type: 'object' };
  for (const keyword of ['additionalProperties', 'unevaluatedProperties']) {
    if (rules[keyword] === false) delete rules[keyword];
  }
  const properties = ownMember(schema, 'properties');
  rules.properties = { [EXTENSIONS]: true, ...(isJsonObject(properties) ? properties : {}) };
  const own = structuredClone(rules);
  chooseByReference(own, own);
  return own;
}

/** `oneOf` of references becomes `anyOf`: only the database knows which of them the entity's type matches. */
function chooseByReference(root: JsonObject, schema: JsonObject): void {
  const choices = ownMember(schema, 'oneOf');
  const isOther = (each: Json) => {
    const types = typesOf(root, each);
    return types.length > 0 && !types.includes('string');
  };
  if (Array.isArray(choices) && choices.every((each) => isReference(root, each) || isOther(each))) {
    delete schema.oneOf;
    schema.allOf = [...((ownMember(schema, 'allOf') ?? []) as Json[]), { anyOf: choices }];
  }
  for (const each of subschemas(schema)) chooseByReference(root, each.schema);
}

function withoutExtensions({ [EXTENSIONS]: _, ...others }: JsonObject): JsonObject {
  return others;
}

/** Finds errors about unknown attributes in a `$ref` or an `allOf`: the type's flag decides on those. */
function isOfStranger({ keyword, instancePath, params }: ErrorObject, isNamed: (name: string) => boolean): boolean {
  if (instancePath !== '') return false;
  if (keyword === 'additionalProperties') return !isNamed(String(params.additionalProperty));
  return keyword === 'unevaluatedProperties' && !isNamed(String(params.unevaluatedProperty));
}

function detailOf({ instancePath, keyword, params, message }: ErrorObject, attributes: JsonObject): ProblemDetail {
  const path = pathIn('attributes', keysOf(instancePath), attributes);
  if (keyword === 'required') return { path: pathTo(path, String(params.missingProperty)), message: 'is required' };
  if (keyword === 'additionalProperties')
    return { path: pathTo(path, String(params.additionalProperty)), message: 'is not known' };
  if (keyword === 'unevaluatedProperties')
    return { path: pathTo(path, String(params.unevaluatedProperty)), message: 'is not known' };
  if (keyword === 'enum') return { path, message: `expected one of ${shortList(params.allowedValues)}` };
  if (keyword === 'const') return { path, message: `expected ${JSON.stringify(params.allowedValue)}` };
  return { path, message: message ?? `violates ${keyword}` };
}

const MAX_SHOWN = 20;

function shortList(values: unknown[]): string {
  const shown = values.slice(0, MAX_SHOWN).map((value) => JSON.stringify(value));
  return values.length > MAX_SHOWN ? `${shown.join(', ')} and ${values.length - MAX_SHOWN} more` : shown.join(', ');
}
