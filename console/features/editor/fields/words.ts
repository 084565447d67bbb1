import type { RuleOperator } from '../../../../domain/rule/rule.ts';
import { counted } from '../../../ui/words/counted.ts';

/** A label within a sentence: “Owner” is “owner”, “URL” stays. */
const inside = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;

export const FIELDS = {
  form: {
    preview: 'Preview of the form',
    submit: 'Submit',
    notSent: 'Nothing was sent: this is a preview.',
  },
  submitters: {
    groups: {
      members: 'Members of the workspace',
      link: 'Anyone with the link of the question',
      list: 'Certain people and roles',
      anyone: "Anyone who knows the execution's ID",
    },
    noLogin: 'They need no login.',
    list: 'People and roles',
    listHelp: 'Choose from the list, or type an e-mail address.',
    roles: 'Roles',
    people: 'People',
  },
  schedule: { label: 'The schedule in words' },
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
      notIn: 'is not one of the list',
      isEmpty: 'is empty',
      isNotEmpty: 'is not empty',
    } satisfies Record<RuleOperator, string>,
  },
  options: {
    loading: 'Loading…',
    none: 'There are no options.',
    noneMatch: 'No option matches.',
    noFields: 'There are no fields.',
    more: 'Load more',
    use: (text: string) => `Use “${text}”`,
    value: 'Value:',
    count: (count: number, hasMore: boolean) =>
      hasMore ? `${counted(count, 'option', 'options')}, more can be loaded` : counted(count, 'option', 'options'),
    failed: (reason: string) => `Not loaded. ${reason}`,
    chooseFirst: (label: string) => `Choose ${inside(label)} first.`,
    unknown: (label: string) =>
      `This depends on ${inside(label)}, whose value is not known yet. Run the workflow, or write the value.`,
    noConnection: (app: string) => `Connect ${app} to load the options.`,
    chooseConnection: 'Choose a connection first.',
  },
};
