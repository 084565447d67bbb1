import { setKey } from '../../ownMember.ts';
import { chargeKey, chargeList } from '../meter.ts';
import { plus } from '../operators.ts';
import { chargedJson, isPlainObject, toJson } from '../result.ts';
import { integerAt, kindOf, listAt, numberAt, textAt } from './argument.ts';
import type { CelFunction } from './celFunction.ts';
import { characters } from './characters.ts';
import { compare } from './order.ts';

function sum(args: readonly unknown[]): number {
  const list = listAt(args, 0);
  let total = 0;
  for (let at = 0; at < list.length; at += 1) total = plus(total, elementNumber(list, at));
  return total;
}

function elementNumber(list: readonly unknown[], at: number): number {
  try {
    return numberAt([list[at]], 0);
  } catch {
    throw new Error(`element ${at} must be a number, got ${kindOf(list[at])}`);
  }
}

function avg(args: readonly unknown[]): number {
  const size = listAt(args, 0).length;
  if (size === 0) throw new Error('the average of an empty list is undefined');
  return sum(args) / size;
}

function extreme(name: string, sign: 1 | -1): (args: readonly unknown[]) => unknown {
  return (args) => {
    const list = args.length === 1 ? listAt(args, 0) : args;
    if (list.length === 0) throw new Error(`an empty list has no ${name}`);
    return list.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best));
  };
}

function end(which: 'first' | 'last'): (args: readonly unknown[]) => unknown {
  return (args) => {
    const list = args[0];
    if (!Array.isArray(list)) listAt(args, 0);
    if ((list as unknown[]).length === 0) throw new Error(`an empty list has no ${which} element`);
    return (list as unknown[]).at(which === 'first' ? 0 : -1);
  };
}

function flatten(args: readonly unknown[]): unknown[] {
  const result: unknown[] = [];
  for (const item of listAt(args, 0)) {
    if (!Array.isArray(item)) {
      result.push(item);
    } else {
      chargeList(item.length);
      for (const inner of item) result.push(inner);
    }
  }
  return result;
}

/** Equal values have equal texts: object keys are sorted, numbers compared by value. */
function identity(value: unknown): string {
  const json = chargedJson(value);
  return JSON.stringify(json, (_key, part: unknown) =>
    isPlainObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

function distinct(args: readonly unknown[]): unknown[] {
  const seen = new Set<string>();
  return listAt(args, 0).filter((item) => {
    const key = identity(item);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export function sortedBy(list: readonly unknown[], keys: readonly unknown[]): unknown[] {
  const order = list.map((_, index) => index);
  order.sort((a, b) => compare(keys[a], keys[b]));
  return order.map((index) => list[index]);
}

export function groupedBy(list: readonly unknown[], keys: readonly unknown[]): Record<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  list.forEach((item, index) => {
    const key = toJson(keys[index]);
    const name = typeof key === 'string' ? key : JSON.stringify(chargedJson(key));
    chargeKey(name);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  });
  const result: Record<string, unknown[]> = {};
  for (const [name, group] of groups) setKey(result, name, group);
  return result;
}

function keysOf(args: readonly unknown[]): unknown[] {
  const key = textAt(args, 1);
  return listAt(args, 0).map((item, at) => {
    if (!isPlainObject(item)) throw new Error(`element ${at} must be a map, got ${kindOf(item)}`);
    return Object.hasOwn(item, key) ? item[key] : null;
  });
}

const one = { least: 1, most: 1 };

export const LIST_FUNCTIONS: readonly CelFunction[] = [
  {
    name: 'sum',
    signature: 'sum(list) → number',
    doc: 'Of numbers; 0 for an empty list.',
    ...one,
    returns: 'dyn',
    call: sum,
  },
  {
    name: 'min',
    signature: 'min(list) or min(a, b, …)',
    doc: 'The least of numbers, texts, times or durations.',
    least: 1,
    most: 32,
    returns: 'dyn',
    call: extreme('minimum', -1),
  },
  {
    name: 'max',
    signature: 'max(list) or max(a, b, …)',
    doc: 'The greatest of numbers, texts, times or durations.',
    least: 1,
    most: 32,
    returns: 'dyn',
    call: extreme('maximum', 1),
  },
  {
    name: 'avg',
    signature: 'avg(list) → number',
    doc: 'The mean of numbers; an empty list fails.',
    ...one,
    returns: 'dyn',
    call: avg,
  },
  {
    name: 'first',
    signature: 'first(list)',
    doc: 'The first element; an empty list fails.',
    ...one,
    returns: 'dyn',
    call: end('first'),
  },
  {
    name: 'last',
    signature: 'last(list)',
    doc: 'The last element; an empty list fails.',
    ...one,
    returns: 'dyn',
    call: end('last'),
  },
  {
    name: 'flatten',
    signature: 'flatten(list) → list',
    doc: 'Replaces nested lists by their elements, one level deep.',
    ...one,
    returns: 'list',
    call: flatten,
  },
  {
    name: 'distinct',
    signature: 'distinct(list) → list',
    doc: 'The first of equal elements.',
    ...one,
    returns: 'list',
    call: distinct,
  },
  {
    name: 'sort',
    signature: 'sort(list) → list',
    doc: 'Ascending; of numbers, texts, booleans, times or durations, null last.',
    ...one,
    returns: 'list',
    call: (args) => sortedBy(listAt(args, 0), listAt(args, 0)),
  },
  {
    name: 'sortBy',
    signature: 'list.sortBy(x, key of x) or sortBy(list, "key") → list',
    doc: 'Ascending by an expression over each element, or by a key of it; null and missing last; equal ones keep their order.',
    least: 2,
    most: 3,
    returns: 'list',
    call: (args) => sortedBy(listAt(args, 0), keysOf(args)),
  },
  {
    name: 'groupBy',
    signature: 'list.groupBy(x, key of x) or groupBy(list, "key") → map',
    doc: 'Lists of the elements by the text of an expression over each, or of a key of it.',
    least: 2,
    most: 3,
    returns: 'map',
    call: (args) => groupedBy(listAt(args, 0), keysOf(args)),
  },
  {
    name: 'reverse',
    signature: 'reverse(list or text)',
    doc: 'In the opposite order.',
    ...one,
    returns: 'dyn',
    call: (args) =>
      typeof args[0] === 'string' ? characters(textAt(args, 0)).reverse().join('') : [...listAt(args, 0)].reverse(),
  },
  {
    name: 'slice',
    signature: 'slice(list, start, end?) → list',
    doc: 'The elements from `start`, counted from 0, to before `end`; a negative number counts from the end.',
    least: 2,
    most: 3,
    returns: 'list',
    call: (args) => listAt(args, 0).slice(integerAt(args, 1), args.length > 2 ? integerAt(args, 2) : undefined),
  },
];
