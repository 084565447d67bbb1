import { timeOfText } from './expression/functions/times.ts';
import type { Field, FieldType } from './field.ts';
import type { Json } from './json.ts';

const isText = (value: Json): boolean => typeof value === 'string';
const options = (field: Field): string[] => (field.options ?? []).map(({ value }) => value);

const TYPES: Readonly<
  Record<FieldType, { holds: (value: Json, field: Field) => boolean; expected: (field: Field) => string }>
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
    holds: (value, field) => typeof value === 'string' && options(field).includes(value),
    expected: (field) => `one of ${options(field).join(', ')}`,
  },
  multiSelect: {
    holds: (value, field) =>
      Array.isArray(value) &&
      new Set(value).size === value.length &&
      value.every((one) => typeof one === 'string' && options(field).includes(one)),
    expected: (field) => `a list of distinct ones of ${options(field).join(', ')}`,
  },
  json: { holds: () => true, expected: () => 'a value' },
};

export function expectation(field: Field): string {
  return TYPES[field.type].expected(field);
}

export function valueProblem(field: Field, value: Json): string | undefined {
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
