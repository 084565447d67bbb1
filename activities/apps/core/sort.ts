import { z } from 'zod';
import { valueAt } from '../../../domain/fieldPath.ts';
import type { Json } from '../../../domain/json.ts';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { succeeded } from '../executor.ts';
import { compareKeys, type JsonOrderKey, orderKey } from '../jsonOrder.ts';

const key = z.strictObject({ field: z.string().default(''), direction: z.enum(['asc', 'desc']).default('asc') });

/** Stable. Items without the field come last in either direction, as people expect in a table. */
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
        const order = compareRows(left.keys[index], right.keys[index], direction);
        if (order !== 0) return order;
      }
      return 0;
    });
    return succeeded(rows.map(({ item }) => item));
  },
);

function sortKey(item: Json, field: string, ignoreCase: boolean): JsonOrderKey | undefined {
  const value = valueAt(item, field);
  if (value === undefined || value === null) return undefined;
  return orderKey(ignoreCase && typeof value === 'string' ? value.toLowerCase() : value);
}

function compareRows(
  left: JsonOrderKey | undefined,
  right: JsonOrderKey | undefined,
  direction: 'asc' | 'desc',
): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  return direction === 'asc' ? compareKeys(left, right) : compareKeys(right, left);
}
