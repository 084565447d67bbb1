import type { RuleOperator } from '../../../../domain/rule/rule.ts';

export const FIELDS = {
  rules: {
    title: 'Rules',
    add: 'Add a rule',
    rule: (index: number) => `Rule ${index}`,
    field: 'Field',
    operator: 'Operator',
    value: 'Value',
    match: 'Match',
    matches: { all: 'All rules', any: 'Any rule' },
    asExpression: 'Edit as expression',
    asRules: 'Edit as rules',
    asText: 'Edit as JSON',
    notRules: 'Rules cannot show this expression.',
    operators: {
      equals: 'equals',
      notEquals: 'does not equal',
      greaterThan: 'is greater than',
      greaterOrEqual: 'is at least',
      lessThan: 'is less than',
      lessOrEqual: 'is at most',
      contains: 'contains',
      notContains: 'does not contain',
      startsWith: 'starts with',
      endsWith: 'ends with',
      in: 'is one of the list',
      notIn: 'is none of the list',
      isEmpty: 'is empty',
      isNotEmpty: 'is not empty',
    } satisfies Record<RuleOperator, string>,
  },
};
