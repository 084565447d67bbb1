import { PieceFailure } from './pieceFailure.ts';
import { optionValue } from './pieceOptions.ts';
import type { PieceProperty } from './pieceTypes.ts';

type Properties = Record<string, PieceProperty>;

/** Converts inputs to the types of the properties, as the engine of Activepieces does. Throws INVALID_INPUT. */
export function pieceInputs(
  properties: Properties,
  inputs: Record<string, unknown>,
  place = '',
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, property]): [string, unknown][] => {
      if (property.type === 'MARKDOWN') return [];
      const given = inputs[key] ?? undefined;
      const value = convert(property, given, place + key);
      if (value === undefined && property.required) throw invalid(place + key, 'a value');
      return [[key, value]];
    }),
  );
}

function convert(property: PieceProperty, value: unknown, place: string): unknown {
  const read = CONVERSIONS[property.type];
  if (value === undefined || read === undefined) return value;
  return value === '' && !TEXTS.has(property.type) ? undefined : read(value, place, property);
}

type Conversion = (value: unknown, place: string, property: PieceProperty) => unknown;

const TEXTS = new Set(['SHORT_TEXT', 'LONG_TEXT', 'RICH_TEXT', 'SECRET_TEXT', 'COLOR', 'DROPDOWN', 'STATIC_DROPDOWN']);

const text: Conversion = (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const number: Conversion = (value, place) => {
  const read = Number(value);
  if (Number.isNaN(read)) throw invalid(place, 'a number');
  return read;
};

const checkbox: Conversion = (value) => (value === 'true' ? true : value === 'false' ? false : value);

/** A time without a zone is in UTC. */
const dateTime: Conversion = (value, place) => {
  const given = String(value);
  const time = new Date(/T[\d:.]+$/.test(given) ? `${given}Z` : given);
  if (Number.isNaN(time.getTime())) throw invalid(place, 'a date or time');
  return time.toISOString();
};

const json: Conversion = (value, place) => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw invalid(place, 'JSON');
  }
};

const object: Conversion = (value, place, property) => {
  const read = json(value, place, property);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw invalid(place, 'an object');
  return read;
};

const list: Conversion = (value, place, { properties }) => {
  const read =
    typeof value === 'string' && value.trimStart().startsWith('[') ? json(value, place, { type: 'JSON' }) : value;
  if (properties === undefined) return Array.isArray(read) ? read : [read];
  const items = Array.isArray(read) ? read : rowsOf(read as object);
  return items.map((item: unknown, index) => {
    if (typeof item !== 'object' || item === null) throw invalid(`${place}[${index}]`, 'an object');
    return pieceInputs(properties, item as Record<string, unknown>, `${place}[${index}].`);
  });
};

/** `{a: [1, 2], b: 3}` are the rows `{a: 1, b: 3}` and `{a: 2, b: 3}`. */
function rowsOf(columns: object): Record<string, unknown>[] {
  const lengths = Object.values(columns).map((each: unknown) => (Array.isArray(each) ? each.length : 1));
  return Array.from({ length: Math.max(0, ...lengths) }, (_, row) =>
    Object.fromEntries(Object.entries(columns).map(([key, each]) => [key, Array.isArray(each) ? each[row] : each])),
  );
}

const option: Conversion = (value) => optionValue(value);
const options: Conversion = (value) => (Array.isArray(value) ? value.map(optionValue) : [optionValue(value)]);

/** The fields of a dynamic property may have options. */
const dynamic: Conversion = (value, place, property) => {
  const fields = object(value, place, property) as object;
  const read = (each: unknown) => (Array.isArray(each) ? each.map(optionValue) : optionValue(each));
  return Object.fromEntries(Object.entries(fields).map(([key, each]) => [key, read(each)]));
};

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  SHORT_TEXT: text,
  LONG_TEXT: text,
  RICH_TEXT: text,
  SECRET_TEXT: text,
  COLOR: text,
  NUMBER: number,
  CHECKBOX: checkbox,
  DATE_TIME: dateTime,
  JSON: json,
  OBJECT: object,
  ARRAY: list,
  STATIC_DROPDOWN: option,
  DROPDOWN: option,
  STATIC_MULTI_SELECT_DROPDOWN: options,
  MULTI_SELECT_DROPDOWN: options,
  DYNAMIC: dynamic,
};

function invalid(place: string, expected: string): PieceFailure {
  return new PieceFailure('INVALID_INPUT', `${place}: expected ${expected}`);
}
