import { isJsonObject, type Json } from '../../../domain/json.ts';
import { canonicalText, compareJson } from '../jsonOrder.ts';

export const FILTER_OPERATORS = [
  'equals',
  'notEquals',
  'greaterThan',
  'greaterOrEqual',
  'lessThan',
  'lessOrEqual',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'in',
  'notIn',
  'isEmpty',
  'isNotEmpty',
] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

type Present = NonNullable<Json>;

/** An absent field is null. Values of different types are unequal, and none of them is greater. */
const RULES: Record<FilterOperator, (actual: Json, expected: Json) => boolean> = {
  equals: sameJson,
  notEquals: (actual, expected) => !sameJson(actual, expected),
  greaterThan: (actual, expected) => ordered(actual, expected, (order) => order > 0),
  greaterOrEqual: (actual, expected) => ordered(actual, expected, (order) => order >= 0),
  lessThan: (actual, expected) => ordered(actual, expected, (order) => order < 0),
  lessOrEqual: (actual, expected) => ordered(actual, expected, (order) => order <= 0),
  contains,
  notContains: (actual, expected) => !contains(actual, expected),
  startsWith: (actual, expected) => bothText(actual, expected) && String(actual).startsWith(String(expected)),
  endsWith: (actual, expected) => bothText(actual, expected) && String(actual).endsWith(String(expected)),
  in: (actual, expected) => contains(expected, actual),
  notIn: (actual, expected) => !contains(expected, actual),
  isEmpty,
  isNotEmpty: (actual) => !isEmpty(actual),
};

export function holds(
  operator: FilterOperator,
  actual: Json | undefined,
  expected: Json | undefined,
  ignoreCase: boolean,
): boolean {
  const prepare = (value: Json | undefined): Json => (ignoreCase ? lowerCase(value ?? null) : (value ?? null));
  return RULES[operator](prepare(actual), prepare(expected));
}

function sameJson(left: Json, right: Json): boolean {
  return left === right || canonicalText(left) === canonicalText(right);
}

function bothText(left: Json, right: Json): boolean {
  return typeof left === 'string' && typeof right === 'string';
}

function ordered(actual: Json, expected: Json, test: (order: number) => boolean): boolean {
  if (typeof actual !== typeof expected || typeof actual === 'object') return false;
  return test(compareJson(actual as Present, expected as Present));
}

/** A text in a text, an entry in a list, a key in an object. */
function contains(whole: Json, part: Json): boolean {
  if (Array.isArray(whole)) return whole.some((entry) => sameJson(entry, part));
  if (isJsonObject(whole)) return typeof part === 'string' && Object.hasOwn(whole, part);
  return typeof whole === 'string' && typeof part === 'string' && whole.includes(part);
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Texts, and the texts of a list; keys of objects and deeper values stay as they are. */
function lowerCase(value: Json): Json {
  if (typeof value === 'string') return value.toLowerCase();
  if (!Array.isArray(value)) return value;
  return value.map((entry) => (typeof entry === 'string' ? entry.toLowerCase() : entry));
}
