import { z } from 'zod';
import type { Json } from '../../../domain/json.ts';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';
import { valueAt } from '../fieldPath.ts';
import { compareJson } from '../jsonOrder.ts';

const key = z.strictObject({ field: z.string().default(''), direction: z.enum(['asc', 'desc']).default('asc') });

/** Stable. Items without the field come last in either direction, as people expect of a table. */
export const sort = withInputs(
  {
    items: jsonList,
    by: z
      .array(key)
      .min(1)
      .default([{ field: '', direction: 'asc' }]),
    ignoreCase: z.boolean().default(false),
  },
  ({ items, by, ignoreCase }) => {
    const rows = items.map((item) => ({ item, keys: by.map(({ field }) => sortKey(item, field, ignoreCase)) }));
    rows.sort((left, right) => {
      for (const [index, { direction }] of by.entries()) {
        const order = compareKeys(left.keys[index], right.keys[index], direction);
        if (order !== 0) return order;
      }
      return 0;
    });
    return succeeded(rows.map(({ item }) => item));
  },
);

function sortKey(item: Json, field: string, ignoreCase: boolean): Json | undefined {
  const value = valueAt(item, field);
  return ignoreCase && typeof value === 'string' ? value.toLowerCase() : value;
}

function compareKeys(left: Json | undefined, right: Json | undefined, direction: 'asc' | 'desc'): number {
  const absentLeft = left === undefined || left === null;
  const absentRight = right === undefined || right === null;
  if (absentLeft || absentRight) return Number(absentLeft) - Number(absentRight);
  return direction === 'asc' ? compareJson(left, right) : compareJson(right, left);
}
