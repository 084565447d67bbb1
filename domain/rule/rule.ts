import type { Json } from '../json.ts';

/** In the order in which forms list them. */
export const RULE_OPERATORS = [
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
export type RuleOperator = (typeof RULE_OPERATORS)[number];

export interface Rule {
  /** A path such as `trigger.body.total` or `steps.ask.output["order no"]`. */
  field: string;
  operator: RuleOperator;
  /** `{{ … }}` is another value of the execution. Absent for isEmpty and isNotEmpty. */
  value?: Json;
}

export interface Rules {
  match: 'all' | 'any';
  rules: Rule[];
}

export function needsValue(operator: RuleOperator): boolean {
  return operator !== 'isEmpty' && operator !== 'isNotEmpty';
}
