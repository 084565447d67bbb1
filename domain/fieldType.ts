import { timeOfText } from './expression/functions/times.ts';
import { type FieldType, fixedOptions, type InputField, isLoaded } from './field.ts';
import type { Json } from './json.ts';

const isText = (value: Json): boolean => typeof value === 'string';
const options = (field: InputField): string[] => fixedOptions(field.options).map(({ value }) => value);
const isOption = (value: Json, field: InputField): boolean =>
  typeof value === 'string' && (isLoaded(field.options) || options(field).includes(value));

const TYPES: Readonly<
  Record<FieldType, { holds: (value: Json, field: InputField) => boolean; expected: (field: InputField) => string }>
> = {
  text: { holds: isText, expected: () => 'text' },
  longText: { holds: isText, expected: () => 'text' },
  secret: { holds: isText, expected: () => 'text' },
  number: { holds: (value) => typeof value === 'number' && Number.isFinite(value), expected: () => 'a number' },
  boolean: { holds: (value) => typeof value === 'boolean', expected: () => 'true or false' },
  date: {
    holds: (value) => typeof value === 'string' && timeOfText(value) !== undefined,
    expected: () => 'an ISO 8601 date or time',
  },
  select: {
    holds: isOption,
    expected: (field) => (isLoaded(field.options) ? 'text' : `one of ${options(field).join(', ')}`),
  },
  multiSelect: {
    holds: (value, field) =>
      Array.isArray(value) && new Set(value).size === value.length && value.every((one) => isOption(one, field)),
    expected: (field) =>
      isLoaded(field.options) ? 'a list of distinct texts' : `a list of distinct ones of ${options(field).join(', ')}`,
  },
  json: { holds: () => true, expected: () => 'a value' },
};

export function expectation(field: InputField): string {
  return TYPES[field.type].expected(field);
}

export function valueProblem(field: InputField, value: Json): string | undefined {
  return TYPES[field.type].holds(value, field) ? undefined : `expected ${expectation(field)}, got ${kindOfJson(value)}`;
}

/** Describes a value in a few words, never its content, which may be secret. */
export function kindOfJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return { string: 'text', number: 'a number', boolean: 'a boolean' }[typeof value as string] ?? typeof value;
}

export function unknownKey(known: readonly string[]): string {
  return known.length === 0 ? 'unknown key: none is expected' : `unknown key, expected one of ${known.join(', ')}`;
}
