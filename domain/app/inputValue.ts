import type { InputField } from '../field.ts';
import { expectation, kindOfJson, valueProblem } from '../fieldType.ts';
import { isJsonObject, type Json } from '../json.ts';
import type { InputConfig } from './manifest.ts';

export function takesObject({ objects = [] }: InputConfig, { key }: InputField): boolean {
  return objects.includes(key);
}

export function inputExpectation(config: InputConfig, field: InputField): string {
  return takesObject(config, field) ? 'an object' : expectation(field);
}

export function inputValueProblem(config: InputConfig, field: InputField, value: Json): string | undefined {
  if (!takesObject(config, field)) return valueProblem(field, value);
  return isJsonObject(value) ? undefined : `expected an object, got ${kindOfJson(value)}`;
}
