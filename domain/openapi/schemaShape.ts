import { isJsonObject, type Json, type JsonObject, textOf } from '../json.ts';
import { pathTo } from '../place.ts';
import type { Placed, References } from './references.ts';

export const SCHEMA_TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
export type SchemaType = (typeof SCHEMA_TYPES)[number];

/** A schema after its references, `allOf`, and a single alternative are resolved. */
export interface SchemaShape {
  /** Undefined if it may be of several types. */
  type: SchemaType | undefined;
  isNullable: boolean;
  /** Undefined if any value of the type is allowed. Without null. */
  choices: Json[] | undefined;
  format: string | undefined;
  preset: Json | undefined;
  description: string | undefined;
  isReadOnly: boolean;
  isWriteOnly: boolean;
  /** True for the content of a file. */
  isBinary: boolean;
  items: PlacedSchema | undefined;
  properties: ReadonlyMap<string, PlacedSchema>;
  required: ReadonlySet<string>;
  /** True if alternatives (oneOf, anyOf) decide about its members. */
  isOpen: boolean;
}

export interface PlacedSchema {
  schema: Json | undefined;
  place: string;
}

/** Schemas that are merged into one by allOf. A document could nest them forever. */
const MAX_MERGED = 50;
/** The same for a schema and all its alternatives together. */
const MAX_MERGED_IN_ALL = 500;
/** Members and choices that are read. An object with more is left open: its members are one field in any case. */
const MAX_MEMBERS = 1_000;

/** Large documents refer to the same schema thousands of times. */
const SHAPES = new WeakMap<References, Map<JsonObject, SchemaShape>>();

export function shapeOf(references: References, { schema, place }: PlacedSchema): SchemaShape {
  const shapes = SHAPES.get(references) ?? new Map<JsonObject, SchemaShape>();
  SHAPES.set(references, shapes);
  const known = isJsonObject(schema) ? shapes.get(schema) : undefined;
  if (known) return known;
  const shape = new MergedShape(references, { left: MAX_MERGED_IN_ALL }, true);
  shape.add(schema, place);
  if (isJsonObject(schema)) shapes.set(schema, shape);
  return shape;
}

class MergedShape implements SchemaShape {
  type: SchemaType | undefined;
  isNullable = false;
  choices: Json[] | undefined;
  format: string | undefined;
  preset: Json | undefined;
  description: string | undefined;
  isReadOnly = false;
  isWriteOnly = false;
  isBinary = false;
  items: PlacedSchema | undefined;
  readonly properties = new Map<string, PlacedSchema>();
  readonly required = new Set<string>();
  isOpen = false;
  readonly #references: References;
  /** Schemas that may still be merged. */
  readonly #merges: { left: number };
  readonly #mayBranch: boolean;
  readonly #seen = new Set<JsonObject>();

  /** Alternatives of alternatives are left open, because they could multiply. */
  constructor(references: References, merges: { left: number }, mayBranch: boolean) {
    this.#references = references;
    this.#merges = merges;
    this.#mayBranch = mayBranch;
  }

  add(schema: Json | undefined, place: string): void {
    // True, false and absent schemas say nothing about the value.
    if (!isJsonObject(schema)) return;
    if (this.#isFull) {
      this.#leaveOpen();
      return;
    }
    const found = this.#references.follow(schema, place);
    if (!found || this.#seen.has(found.value)) return;
    this.#seen.add(found.value);
    this.#merges.left -= 1;
    this.#addTexts(schema);
    this.#addTexts(found.value);
    this.#addType(found.value);
    this.#addMembers(found);
    for (const [index, part] of listOf(found.value.allOf).entries()) {
      this.add(part, pathTo(pathTo(found.place, 'allOf'), index));
      if (this.#isFull) break;
    }
    for (const name of ['oneOf', 'anyOf']) this.#addAlternatives(found, name);
  }

  get #isFull(): boolean {
    return this.#seen.size >= MAX_MERGED || this.properties.size === MAX_MEMBERS || this.#merges.left === 0;
  }

  /** A description next to a reference is more specific than the one that it refers to. */
  #addTexts(schema: JsonObject): void {
    const { description, format, default: preset, readOnly, writeOnly, contentMediaType, contentEncoding } = schema;
    if (typeof description === 'string') this.description ??= description;
    if (typeof format === 'string') this.format ??= format;
    if (preset !== undefined && preset !== null) this.preset ??= preset;
    this.isReadOnly ||= readOnly === true;
    this.isWriteOnly ||= writeOnly === true;
    const isText = contentEncoding !== undefined || /^text\/|\bjson\b/i.test(textOf(contentMediaType));
    this.isBinary ||= format === 'binary' || (typeof contentMediaType === 'string' && !isText);
  }

  #addType({ type, nullable, 'x-nullable': isNullable, enum: choices, const: only, properties }: JsonObject): void {
    const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== undefined);
    const named = types.filter((one) => one !== 'null');
    this.isNullable ||= nullable === true || isNullable === true || types.includes('null');
    if (named.length === 1 && isSchemaType(named[0])) this.type ??= named[0];
    else if (named.length === 0 && isJsonObject(properties)) this.type ??= 'object';
    const list = Array.isArray(choices) ? choices : only === undefined ? undefined : [only];
    if (!list) return;
    this.isNullable ||= list.includes(null);
    this.choices ??= list.slice(0, MAX_MEMBERS).filter((one) => one !== null);
    if (types.length === 0 && this.choices.every((one) => typeof one === 'string')) this.type ??= 'string';
  }

  #addMembers({ value: { properties, required, items }, place }: Placed): void {
    if (items !== undefined) this.items ??= { schema: items, place: pathTo(place, 'items') };
    for (const name of listOf(required).slice(0, MAX_MEMBERS)) if (typeof name === 'string') this.required.add(name);
    if (!isJsonObject(properties)) return;
    for (const [name, schema] of Object.entries(properties)) {
      if (this.properties.has(name)) continue;
      if (this.properties.size === MAX_MEMBERS) {
        this.#leaveOpen();
        return;
      }
      this.properties.set(name, { schema, place: pathTo(pathTo(place, 'properties'), name) });
    }
  }

  #addAlternatives({ value, place }: Placed, name: string): void {
    const given = listOf(value[name]);
    if (given.length > MAX_MERGED + 1) {
      this.#leaveOpen();
      return;
    }
    const all = given.map((schema, index) => ({ schema, place: pathTo(pathTo(place, name), index) }));
    const isNull = ({ schema }: PlacedSchema) => isJsonObject(schema) && schema.type === 'null';
    this.isNullable ||= all.some(isNull);
    const real = all.filter((one) => !isNull(one));
    const [first, ...others] = real;
    if (!first) return;
    if (others.length === 0) {
      this.add(first.schema, first.place);
      return;
    }
    if (!this.#mayBranch) {
      this.#leaveOpen();
      return;
    }
    const shapes = real.map((one) => {
      const shape = new MergedShape(this.#references, this.#merges, false);
      shape.add(one.schema, one.place);
      return shape;
    });
    this.isNullable ||= shapes.some((shape) => shape.isNullable);
    // `anyOf: [{required: [a]}, {required: [b]}]` names no member that is not there already.
    const isKnown = (shape: SchemaShape) =>
      !shape.isOpen && [...shape.properties.keys()].every((key) => this.properties.has(key));
    if (this.type === 'object' && shapes.every(isKnown)) return;
    const types = new Set(shapes.map((shape) => (shape.isOpen ? undefined : shape.type)));
    const [only] = types;
    this.#leaveOpen();
    if (types.size === 1) this.type = only;
  }

  #leaveOpen(): void {
    this.isOpen = true;
    this.type = undefined;
  }
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function isSchemaType(value: Json | undefined): value is SchemaType {
  return (SCHEMA_TYPES as readonly unknown[]).includes(value);
}
