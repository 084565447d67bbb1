import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { charge, chargedKeys } from '../meter.ts';
import { isPlainObject } from '../result.ts';
import { kindOf } from './argument.ts';

/** Compares CEL values deeply. Numbers of different CEL types are equal if their values are. */
export function equal(a: unknown, b: unknown): boolean {
  charge(1);
  if (typeof a === 'string' && typeof b === 'string') return areSameText(a, b);
  if (a === b) return true;
  // biome-ignore lint/suspicious/noDoubleEquals: the loose comparison of a bigint with a number is exact
  if (isNumeric(a) && isNumeric(b)) return plainNumber(a) == plainNumber(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index]));
  }
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  if (a instanceof Duration) return b instanceof Duration && a.seconds === b.seconds && a.nanos === b.nanos;
  if (a instanceof Uint8Array) {
    if (!(b instanceof Uint8Array) || a.length !== b.length) return false;
    charge(a.length >> 6);
    return Buffer.compare(a, b) === 0;
  }
  if (isPlainObject(a) && isPlainObject(b)) {
    const keys = chargedKeys(a);
    return keys.length === chargedKeys(b).length && keys.every((key) => Object.hasOwn(b, key) && equal(a[key], b[key]));
  }
  return false;
}

function areSameText(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  charge(a.length >> 6);
  return a === b;
}

type Numeric = number | bigint | UnsignedInt;

function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof UnsignedInt;
}

function plainNumber(value: Numeric): number | bigint {
  return value instanceof UnsignedInt ? value.valueOf() : value;
}

/** Order: numbers, texts (by code point), booleans, times, durations; null is last. Throws for different kinds. */
export function compare(a: unknown, b: unknown): number {
  charge(1);
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (isNumeric(a) && isNumeric(b)) return byOrder(plainNumber(a), plainNumber(b));
  if (typeof a === 'string' && typeof b === 'string') return byCodePoint(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Date && b instanceof Date) return byOrder(a.getTime(), b.getTime());
  if (a instanceof Duration && b instanceof Duration) return byOrder(a.valueOf(), b.valueOf());
  throw new Error(`${kindOf(a)} and ${kindOf(b)} cannot be compared`);
}

function byOrder(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

// UTF-16 order puts characters beyond the basic plane before U+E000; code point order does not.
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  charge(at >> 6);
  if (at === length) return a.length - b.length;
  const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}
