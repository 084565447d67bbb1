import type { components } from 'perdure-client';
import { isJsonObject } from '../../../domain/json.ts';
import { numberText } from '../../ui/words/numbers.ts';
import { WORDS } from '../../ui/words/words.ts';
import { OBJECTS } from './words.ts';

export type Field = components['schemas']['Field'];
type Schema = Record<string, unknown>;

/** Key of the field for attributes that have no field of their own. */
export const REST = '…rest';

/** Returns the type without `null`, which an empty field represents; undefined if several types remain. */
function typeOf({ type }: Schema): string | undefined {
  if (!Array.isArray(type)) return typeof type === 'string' ? type : undefined;
  const others = type.filter((each) => each !== 'null');
  return others.length === 1 ? String(others[0]) : undefined;
}

/** The choices of an enum of texts. */
export function optionsOf(schema: Schema): string[] | undefined {
  const values = Array.isArray(schema.enum) ? schema.enum.filter((each) => each !== null) : undefined;
  return values?.every((each) => typeof each === 'string') === true ? values : undefined;
}

/** A schema with one of these keywords has no single type, so its value is edited as JSON. */
export const OTHERWISE = ['$ref', 'anyOf', 'oneOf', 'allOf', 'not', 'if', 'const'];

type Kind = Pick<Field, 'type' | 'options' | 'help'>;

function kindOf(schema: Schema): Kind {
  if (OTHERWISE.some((keyword) => Object.hasOwn(schema, keyword))) return { type: 'json' };
  const choices = optionsOf(schema);
  if (choices !== undefined) return { type: 'select', options: choices.map((value) => ({ value, label: value })) };
  switch (typeOf(schema)) {
    case 'string':
      return textKind(schema);
    case 'number':
    case 'integer':
      return { type: 'number' };
    case 'boolean':
      return { type: 'boolean' };
    case 'array': {
      const among = isJsonObject(schema.items) ? optionsOf(schema.items) : undefined;
      if (among === undefined) return { type: 'json' };
      return { type: 'multiSelect', options: among.map((value) => ({ value, label: value })) };
    }
    default:
      return { type: 'json' };
  }
}

const LONG_TEXT = 200;

function textKind(schema: Schema): Kind {
  if (schema.format === 'date') return { type: 'date' };
  if (schema.format === 'date-time') return { type: 'text', help: OBJECTS.timeHelp };
  const slug = referenceOf(schema);
  if (slug !== undefined) return { type: 'text', help: OBJECTS.referenceHelp(slug) };
  return { type: Number(schema.maxLength ?? 0) > LONG_TEXT ? 'longText' : 'text' };
}

function referenceOf(schema: Schema): string | undefined {
  const slug = schema['x-objectType'];
  return typeof slug === 'string' ? slug : undefined;
}

export const propertiesOf = (schema: Schema | null | undefined): [name: string, schema: Schema][] =>
  Object.entries(isJsonObject(schema?.properties) ? schema.properties : {}).flatMap(([name, each]) =>
    isJsonObject(each) ? [[name, each]] : [],
  );

/** Up to this many choices become radio buttons, which cannot be cleared without an empty choice. */
const MAX_BUTTONS = 3;

/** Adds an empty choice to an optional select that would have none. */
export function withNone(field: Field): Field {
  const { type, required, options = [] } = field;
  if (type !== 'select' || required || options.length > MAX_BUTTONS) return field;
  return { ...field, options: [{ value: '', label: WORDS.none }, ...options] };
}

export const referencesOf = (schema: Schema | null | undefined): Map<string, string> =>
  new Map(
    propertiesOf(schema).flatMap(([name, each]) => {
      const slug = referenceOf(each);
      return slug === undefined ? [] : [[name, slug]];
    }),
  );

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

export const labelOf = (name: string, schema: Schema | undefined): string => text(schema?.title) ?? name;

/**
 * Builds a form from an attributeSchema. Schemas without an input of their own are edited as JSON.
 * `needed`: attributes that a state also requires. `hasRest`: add a field for attributes not in the schema.
 */
export function schemaFields(
  schema: Schema | null | undefined,
  { needed = [], hasRest = false }: { needed?: readonly string[]; hasRest?: boolean } = {},
): Field[] {
  const required = new Set([...(Array.isArray(schema?.required) ? schema.required : []), ...needed]);
  const fields = propertiesOf(schema).map(([key, each]): Field => {
    const { help, ...kind } = kindOf(each);
    const about = text(each.description) ?? help;
    return withNone({
      key,
      label: labelOf(key, each),
      required: required.has(key),
      ...kind,
      ...(about === undefined ? {} : { help: about }),
      ...(each.default === undefined ? {} : { default: each.default as NonNullable<Field['default']> }),
    });
  });
  const known = new Set(fields.map(({ key }) => key));
  const unnamed = needed.filter((key) => !known.has(key));
  const others = unnamed.map((key): Field => ({ key, label: key, type: 'json', required: true }));
  const rest: Field = {
    key: REST,
    label: OBJECTS.rest,
    type: 'json',
    required: false,
    help: OBJECTS.restHelp,
  };
  return hasRest ? [...fields, ...others, rest] : [...fields, ...others];
}

export function initialOf(fields: readonly Field[], attributes: Schema): Schema {
  const known = new Set(fields.map(({ key }) => key));
  const rest = Object.fromEntries(Object.entries(attributes).filter(([name]) => !known.has(name)));
  const initial = Object.fromEntries(fields.map(({ key }) => [key, attributes[key]]));
  return known.has(REST) ? { ...initial, [REST]: Object.keys(rest).length > 0 ? rest : undefined } : initial;
}

/** Returns the attributes to update. An attribute that was cleared is null, which removes it. */
export function attributesOf(fields: readonly Field[], values: Schema, before: Schema): Schema {
  const { [REST]: rest, ...named } = values;
  const given = { ...(isJsonObject(rest) ? rest : {}), ...named };
  const known = new Set(fields.map(({ key }) => key));
  const gone = Object.keys(before).filter(
    (name) => !Object.hasOwn(given, name) && (known.has(name) || known.has(REST)),
  );
  return { ...given, ...Object.fromEntries(gone.map((name) => [name, null])) };
}

export function attributeProblems(errors: readonly { path: string; message: string }[]): Record<string, string> {
  const byField: Record<string, string> = {};
  for (const { path, message } of errors) {
    const name = /^attributes(?:\.([^.[]+)|\["((?:[^"\\]|\\.)+)"\])/.exec(path);
    const key = name?.[1] ?? name?.[2];
    if (key !== undefined) byField[key] ??= message;
  }
  return byField;
}

/** Whether a value is nested, so that it does not fit into a cell. */
export const hasParts = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (!Array.isArray(value) || value.some((each) => typeof each === 'object' && each !== null));

/** Formats an attribute for a cell: yes or no, lists with commas or as a count, other objects as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return WORDS.none;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? WORDS.form.yes : WORDS.form.no;
  if (Array.isArray(value)) return hasParts(value) ? OBJECTS.entries(value.length) : value.map(valueText).join(', ');
  return JSON.stringify(value);
}
