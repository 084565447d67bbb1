import { z } from 'zod';
import { valueAt } from '../../../domain/fieldPath.ts';
import type { Json } from '../../../domain/json.ts';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';
import { canonicalText } from '../jsonOrder.ts';

export const fieldNames = z
  .union([z.string(), z.array(z.string()).min(1)], 'expected a field name or a list of them')
  .transform((names) => (typeof names === 'string' ? [names] : names));

/** Groups items with equal fields, ordered by first appearance. Absent counts as null. */
export function groupItems(items: Json[], fields: string[]): { values: Json[]; items: Json[] }[] {
  const groups = new Map<string, { values: Json[]; items: Json[] }>();
  for (const item of items) {
    const values = fields.map((field) => valueAt(item, field) ?? null);
    const id = canonicalText(values);
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { values, items: [item] });
    else group.items.push(item);
  }
  return [...groups.values()];
}

/** `[{key, count, items}]`. The key is the field's value, or an object of the values of several fields. */
export const group = withInputs({ items: jsonList, by: fieldNames }, ({ items, by }) =>
  succeeded(
    groupItems(items, by).map(({ values, items: members }) => ({
      key:
        by.length === 1 ? (values[0] ?? null) : Object.fromEntries(by.map((field, at) => [field, values[at] ?? null])),
      count: members.length,
      items: members,
    })),
  ),
);
