import { isOneExpression } from '../expression/template.ts';
import { isJsonObject, type Json } from '../json.ts';
import { needsValue, type Rule, type RuleOperator, type Rules } from './rule.ts';
import { optionalPath, ruleKeys } from './rulePath.ts';

/** The values that count as empty, as for the action that filters lists. */
export const EMPTY_VALUES = '[null, "", [], {}]';

export const ORDER_SIGNS = {
  greaterThan: '>',
  greaterOrEqual: '>=',
  lessThan: '<',
  lessOrEqual: '<=',
} as const satisfies Partial<Record<RuleOperator, string>>;

/**
 * Returns a CEL expression, without braces, that is true or false for missing and null fields too. Rules without a
 * field or value are left out; the result is empty without any other.
 */
export function ruleExpression({ match, rules }: Rules): string {
  const parts = rules.flatMap((rule) => partOf(rule) ?? []);
  if (parts.length === 1) return (parts[0] as Part).text;
  if (match === 'all') return parts.map(({ text }) => text).join(' && ');
  return parts.map(({ text, isPair }) => (isPair ? `(${text})` : text)).join(' || ');
}

interface Part {
  text: string;
  /** It consists of two conditions. */
  isPair: boolean;
}

function partOf({ field, operator, value }: Rule): Part | undefined {
  const keys = ruleKeys(field);
  if (keys === undefined || (value === undefined && needsValue(operator))) return undefined;
  const path = optionalPath(keys);
  const given = value === undefined ? '' : valueText(value);
  const one = (text: string): Part => ({ text, isPair: false });
  // These comparisons fail for null.
  const ifPresent = (text: string) => `${path} != null && ${text}`;
  switch (operator) {
    case 'equals':
      return one(`${path} == ${given}`);
    case 'notEquals':
      return one(`${path} != ${given}`);
    case 'in':
      return one(`${path} in ${given}`);
    case 'notIn':
      return one(`!(${path} in ${given})`);
    case 'isEmpty':
      return one(`${path} in ${EMPTY_VALUES}`);
    case 'isNotEmpty':
      return one(`!(${path} in ${EMPTY_VALUES})`);
    case 'notContains':
      return one(`!(${ifPresent(`contains(${path}, ${given})`)})`);
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return { text: ifPresent(`${operator}(${path}, ${given})`), isPair: true };
    default:
      return { text: ifPresent(`${path} ${ORDER_SIGNS[operator]} ${given}`), isPair: true };
  }
}

function valueText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(', ')}]`;
  if (isJsonObject(value)) {
    const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${valueText(member)}`);
    return `{${members.join(', ')}}`;
  }
  if (typeof value === 'string' && isOneExpression(value) && value.endsWith('}}')) {
    const source = value.slice(2, -2).trim();
    return ruleKeys(source) === undefined ? `(${source})` : source;
  }
  // CEL has no whole numbers of this size, only such with an exponent.
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return value.toExponential();
  }
  return JSON.stringify(value);
}
