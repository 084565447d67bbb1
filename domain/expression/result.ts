import { Optional } from '@marcbachmann/cel-js';
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator';
import type { Json, JsonObject } from '../json.ts';
import { setKey } from '../ownMember.ts';
import { jsonSize } from './jsonSize.ts';
import { charge, chargeText, MAX_TEXT_LENGTH } from './meter.ts';

const LARGEST = 2n ** 53n;

/**
 * Integers become numbers, times ISO 8601, durations ms, bytes base64, types names. Throws if JSON has no such value.
 */
export function toJson(value: unknown): Json {
  charge(1);
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      throw new Error(`the result is ${value}, which is not a JSON number`);
    case 'bigint':
      return integerAsNumber(value);
    case 'object':
      return value === null ? null : objectAsJson(value);
    default:
      throw new Error(`a result of type ${typeof value} is not JSON`);
  }
}

function objectAsJson(value: object): Json {
  if (Array.isArray(value)) return value.map(toJson);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Duration) return value.valueOf();
  if (value instanceof UnsignedInt) return integerAsNumber(value.valueOf());
  if (value instanceof Uint8Array) {
    chargeText(value.length);
    return Buffer.from(value).toString('base64');
  }
  if (value instanceof Optional) return value.hasValue() ? toJson(value.value()) : null;
  if (isPlainObject(value)) {
    const result: JsonObject = {};
    for (const key of Object.keys(value)) setKey(result, key, toJson(value[key]));
    return result;
  }
  const name: unknown = 'name' in value ? value.name : undefined;
  if (typeof name === 'string') return name;
  throw new Error('the result is not JSON');
}

export function integerAsNumber(value: bigint): number {
  if (value > LARGEST || value < -LARGEST) throw new Error(`the integer ${value} is beyond 2^53`);
  return Number(value);
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Converts the value to JSON and also charges its text, which the caller makes next. */
export function chargedJson(value: unknown): Json {
  const json = toJson(value);
  chargeText(jsonSize(json, MAX_TEXT_LENGTH));
  return json;
}
