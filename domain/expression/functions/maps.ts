import { setKey } from '../../ownMember.ts';
import { charge } from '../meter.ts';
import { mapAt } from './argument.ts';
import type { CelFunction } from './celFunction.ts';

function merge(args: readonly unknown[]): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (let at = 0; at < args.length; at += 1) {
    const map = mapAt(args, at);
    for (const key of Object.keys(map)) setKey(result, key, map[key]);
  }
  return result;
}

function values(args: readonly unknown[]): unknown[] {
  const map = mapAt(args, 0);
  return Object.keys(map).map((key) => map[key]);
}

function entries(args: readonly unknown[]): { key: string; value: unknown }[] {
  const map = mapAt(args, 0);
  const keys = Object.keys(map);
  charge(keys.length);
  return keys.map((key) => ({ key, value: map[key] }));
}

export const MAP_FUNCTIONS: readonly CelFunction[] = [
  {
    name: 'keys',
    signature: 'keys(map) → list',
    doc: 'The keys.',
    least: 1,
    most: 1,
    returns: 'list',
    call: (args) => Object.keys(mapAt(args, 0)),
  },
  {
    name: 'values',
    signature: 'values(map) → list',
    doc: 'The values, in the order of the keys.',
    least: 1,
    most: 1,
    returns: 'list',
    call: values,
  },
  {
    name: 'entries',
    signature: 'entries(map) → list',
    doc: 'A list of `{key, value}`.',
    least: 1,
    most: 1,
    returns: 'list',
    call: entries,
  },
  {
    name: 'merge',
    signature: 'merge(map, map, …) → map',
    doc: 'All keys; for a repeated key the last value.',
    least: 2,
    most: 32,
    returns: 'map',
    call: merge,
  },
];
