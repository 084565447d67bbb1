import { isJsonObject, type Json } from '../../../domain/json.ts';
import type { RuleOperator } from '../../../domain/rule/rule.ts';
import { canonicalText, compareKeys, orderKey } from '../jsonOrder.ts';

type Present = NonNullable<Json>;

type Test = (actual: Json) => boolean;

/** Prepares each operand once: otherwise two lists of 10,000 take 10^8 comparisons and block the thread. */
const RULES: Record<RuleOperator, (expected: Json) => Test> = {
  equals: sameAs,
  notEquals: (expected) => not(sameAs(expected)),
  greaterThan: (expected) => (actual) => ordered(actual, expected, (order) => order > 0),
  greaterOrEqual: (expected) => (actual) => ordered(actual, expected, (order) => order >= 0),
  lessThan: (expected) => (actual) => ordered(actual, expected, (order) => order < 0),
  lessOrEqual: (expected) => (actual) => ordered(actual, expected, (order) => order <= 0),
  contains,
  notContains: (expected) => not(contains(expected)),
  startsWith: (expected) => (actual) => bothText(actual, expected) && String(actual).startsWith(String(expected)),
  endsWith: (expected) => (actual) => bothText(actual, expected) && String(actual).endsWith(String(expected)),
  in: isIn,
  notIn: (expected) => not(isIn(expected)),
  isEmpty: () => isEmpty,
  isNotEmpty: () => not(isEmpty),
};

export function filterTest(
  operator: RuleOperator,
  expected: Json | undefined,
  ignoreCase: boolean,
): (actual: Json | undefined) => boolean {
  const prepare = (value: Json | undefined): Json => (ignoreCase ? lowerCase(value ?? null) : (value ?? null));
  const test = RULES[operator](prepare(expected));
  return (actual) => test(prepare(actual));
}

function not(test: Test): Test {
  return (actual) => !test(actual);
}

function sameAs(expected: Json): Test {
  const text = canonicalText(expected);
  return (actual) => actual === expected || canonicalText(actual) === text;
}

function bothText(left: Json, right: Json): boolean {
  return typeof left === 'string' && typeof right === 'string';
}

function ordered(actual: Json, expected: Json, test: (order: number) => boolean): boolean {
  if (typeof actual !== typeof expected || typeof actual === 'object') return false;
  return test(compareKeys(orderKey(actual as Present), orderKey(expected as Present)));
}

/** True for a text in a text, an entry of a list, a key of an object. */
function contains(part: Json): Test {
  const isPart = sameAs(part);
  return (whole) => (Array.isArray(whole) ? whole.some(isPart) : holdsPart(whole, part));
}

function isIn(whole: Json): Test {
  if (!Array.isArray(whole)) return (part) => holdsPart(whole, part);
  const texts = new Set(whole.map(canonicalText));
  return (part) => texts.has(canonicalText(part));
}

function holdsPart(whole: Json, part: Json): boolean {
  if (isJsonObject(whole)) return typeof part === 'string' && Object.hasOwn(whole, part);
  return typeof whole === 'string' && typeof part === 'string' && whole.includes(part);
}

function isEmpty(value: Json): boolean {
  if (value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Changes texts and the texts in a list, nothing deeper. */
function lowerCase(value: Json): Json {
  if (typeof value === 'string') return value.toLowerCase();
  if (!Array.isArray(value)) return value;
  return value.map((entry) => (typeof entry === 'string' ? entry.toLowerCase() : entry));
}
