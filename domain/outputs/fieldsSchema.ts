import type { Field, FieldType } from '../field.ts';
import { isJsonObject, type Json } from '../json.ts';
import { FLAG, listOf, literalSchema, NULL, NUMBER, oneOf, TEXT, UNKNOWN, type ValueSchema } from './valueSchema.ts';

const SIMPLE: Readonly<Record<FieldType, ValueSchema>> = {
  text: TEXT,
  longText: TEXT,
  secret: TEXT,
  date: TEXT,
  number: NUMBER,
  boolean: FLAG,
  json: UNKNOWN,
  select: TEXT,
  multiSelect: listOf(TEXT),
};

export function fieldSchemas(fields: Json | undefined): Record<string, ValueSchema> | undefined {
  if (fields === undefined || fields === null) return {};
  if (!Array.isArray(fields) || !fields.every(isJsonObject)) return undefined;
  return Object.fromEntries(fields.map((field) => [String(field.key), fieldSchema(field as unknown as Field)]));
}

/** A required value exists; others may be null, and a text with options may also be empty. */
function fieldSchema({ type, required, options }: Field): ValueSchema {
  const values = options?.map(({ value }) => value) ?? [];
  const isFixed = values.length > 0 && values.every((value) => !value.includes('{{'));
  const choice = isFixed ? oneOf(values.map(literalSchema)) : TEXT;
  const schema = type === 'select' ? choice : type === 'multiSelect' ? listOf(choice) : (SIMPLE[type] ?? UNKNOWN);
  if (required === true) return schema;
  return oneOf([schema, NULL, ...(type === 'select' && isFixed ? [literalSchema('')] : [])]);
}
