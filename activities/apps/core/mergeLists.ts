import { z } from 'zod';
import { valueAt } from '../../../domain/fieldPath.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';
import { jsonList, withInputs } from '../checkedInputs.ts';
import { type ActionResult, failed, succeeded } from '../executor.ts';
import { canonicalText } from '../jsonOrder.ts';
import { fieldNames } from './group.ts';

/** A join of two lists in which all keys are equal multiplies their lengths, so the rows of a step are limited. */
const MAX_JOINED_ROWS = 100_000;

const modes = {
  concat: (lists: Json[][]) => succeeded(lists.flat()),
  union,
  intersect,
  join,
};

export const mergeLists = withInputs(
  {
    lists: z.array(jsonList).min(1).optional(),
    left: jsonList.optional(),
    right: jsonList.optional(),
    mode: z.enum(['concat', 'union', 'intersect', 'join']).default('concat'),
    on: fieldNames.optional(),
    keepUnmatched: z.enum(['none', 'left', 'right', 'both']).default('none'),
  },
  ({ lists, left, right, mode, on, keepUnmatched }) => {
    const given = left !== undefined && right !== undefined ? [left, right] : undefined;
    const merged = lists ?? given;
    if (merged === undefined || (lists !== undefined && (left ?? right) !== undefined)) {
      return failed('INVALID_INPUT', 'lists: expected either lists, or both left and right');
    }
    return modes[mode](merged, on, keepUnmatched);
  },
);

function keyOf(item: Json, on: string[] | undefined): string {
  return canonicalText(on === undefined ? item : on.map((field) => valueAt(item, field) ?? null));
}

/** Keeps the first item with each key, in the order of the lists. */
function union(lists: Json[][], on?: string[]): ActionResult {
  const seen = new Map<string, Json>();
  for (const item of lists.flat()) {
    const key = keyOf(item, on);
    if (!seen.has(key)) seen.set(key, item);
  }
  return succeeded([...seen.values()]);
}

function intersect([first = [], ...others]: Json[][], on?: string[]): ActionResult {
  const keys = others.map((list) => new Set(list.map((item) => keyOf(item, on))));
  return union([first.filter((item) => keys.every((set) => set.has(keyOf(item, on))))], on);
}

/** As in SQL, an item without the key matches nothing: two orders without a customer do not belong together. */
function joinKey(item: Json, on: string[]): string | undefined {
  return on.some((field) => (valueAt(item, field) ?? null) === null) ? undefined : keyOf(item, on);
}

/** Merges the rows of two lists with equal keys. If both have a field, the right one's value counts. */
function join(lists: Json[][], on?: string[], keepUnmatched = 'none'): ActionResult {
  const [left, right] = lists;
  if (left === undefined || right === undefined || lists.length > 2) {
    return failed('INVALID_INPUT', 'lists: expected two lists to join');
  }
  if (on === undefined) return failed('INVALID_INPUT', 'on: expected the field that the lists share');
  for (const [name, list] of Object.entries({ left, right })) {
    const wrong = list.findIndex((item) => !isJsonObject(item));
    if (wrong >= 0) return failed('INVALID_INPUT', `${name}.${wrong}: expected an object`);
  }
  const keeps = (side: 'left' | 'right') => keepUnmatched === side || keepUnmatched === 'both';
  const partnersByKey = byJoinKey(right as JsonObject[], on);
  const matched = new Set<string | undefined>();
  const rows: Json[] = [];
  for (const item of left as JsonObject[]) {
    const key = joinKey(item, on);
    const partners = partnersByKey.get(key) ?? [];
    if (rows.length + partners.length > MAX_JOINED_ROWS) {
      return failed('TOO_MANY_ROWS', `The join gives more than ${MAX_JOINED_ROWS} rows.`);
    }
    if (partners.length > 0) matched.add(key);
    else if (keeps('left')) rows.push(item);
    for (const partner of partners) rows.push({ ...item, ...partner });
  }
  if (keeps('right')) rows.push(...right.filter((item) => !matched.has(joinKey(item, on))));
  return succeeded(rows);
}

function byJoinKey(items: readonly JsonObject[], on: string[]): Map<string | undefined, JsonObject[]> {
  const byKey = new Map<string | undefined, JsonObject[]>();
  for (const item of items) {
    const key = joinKey(item, on);
    const alike = byKey.get(key);
    if (alike) alike.push(item);
    else if (key !== undefined) byKey.set(key, [item]);
  }
  return byKey;
}
