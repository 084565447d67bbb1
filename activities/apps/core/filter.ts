import { z } from 'zod';
import { valueAt } from '../../../domain/fieldPath.ts';
import { RULE_OPERATORS } from '../../../domain/rule/rule.ts';
import { anyJson, jsonList, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';
import { filterTest } from './filterOperator.ts';

const condition = z.strictObject({
  field: z.string().default(''),
  operator: z.enum(RULE_OPERATORS),
  value: anyJson.optional(),
});

/** Without conditions, keeps all. */
export const filter = withInputs(
  {
    items: jsonList,
    where: z.array(condition),
    match: z.enum(['all', 'any']).default('all'),
    ignoreCase: z.boolean().default(false),
  },
  ({ items, where, match, ignoreCase }) => {
    if (where.length === 0) return succeeded(items);
    const rules = where.map(({ field, operator, value }) => {
      const test = filterTest(operator, value, ignoreCase);
      return (item: (typeof items)[number]) => test(valueAt(item, field));
    });
    const meets = (item: (typeof items)[number]) => (rule: (typeof rules)[number]) => rule(item);
    return succeeded(items.filter((item) => (match === 'all' ? rules.every(meets(item)) : rules.some(meets(item)))));
  },
);
