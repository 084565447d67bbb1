import { Optional } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import { charge, chargedKeys, chargeText } from '../meter.ts';
import { integerAsNumber, isPlainObject } from '../result.ts';

const ORDINALS = ['first', 'second', 'third', 'fourth'];

function wrong(expected: string, at: number, got: unknown): Error {
  return new Error(`the ${ORDINALS[at] ?? `${at + 1}th`} argument must be ${expected}, got ${kindOf(got)}`);
}

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a time';
  if (value instanceof Duration) return 'a duration';
  if (value instanceof UnsignedInt) return 'a number';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Optional) return 'an optional (orValue() returns its value)';
  if (isPlainObject(value)) return 'a map';
  return (
    { string: 'text', number: 'a number', bigint: 'a number', boolean: 'a boolean' }[typeof value as string] ?? 'a type'
  );
}

export function textAt(args: readonly unknown[], at: number): string {
  const value = args[at];
  if (typeof value !== 'string') throw wrong('text', at, value);
  charge(value.length >> 6);
  return value;
}

export function numberAt(args: readonly unknown[], at: number): number {
  const value = args[at];
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return integerAsNumber(value);
  if (value instanceof UnsignedInt) return integerAsNumber(value.valueOf());
  throw wrong('a number', at, value);
}

export function integerAt(args: readonly unknown[], at: number): number {
  const value = numberAt(args, at);
  if (!Number.isInteger(value)) throw wrong('a whole number', at, value);
  return value;
}

export function listAt(args: readonly unknown[], at: number): readonly unknown[] {
  const value = args[at];
  if (!Array.isArray(value)) throw wrong('a list', at, value);
  charge(value.length);
  return value;
}

export function mapAt(args: readonly unknown[], at: number): Record<string, unknown> {
  const value = args[at];
  if (!isPlainObject(value)) throw wrong('a map', at, value);
  chargedKeys(value);
  return value;
}

export function bytesAt(args: readonly unknown[], at: number): Uint8Array {
  const value = args[at];
  if (value instanceof Uint8Array) {
    charge(value.length >> 6);
    return value;
  }
  if (typeof value !== 'string') throw wrong('text or bytes', at, value);
  return Buffer.from(textAt(args, at), 'utf8');
}

export function chargedText(text: string): string {
  chargeText(text.length);
  return text;
}
