import { isJsonObject } from '../../domain/json.ts';
import { type Members, unionOf } from './typeText.ts';

/** Members with a default are optional. Undefined if a part of the form is an expression or malformed. */
export function membersOf(fields: unknown): Members | undefined {
  if (fields === undefined || fields === null) return [];
  if (!Array.isArray(fields)) return undefined;
  const members = fields.map((field) => memberOf(field));
  return members.every((each) => each !== undefined) ? members : undefined;
}

function memberOf(field: unknown): Members[number] | undefined {
  if (!isJsonObject(field) || typeof field.key !== 'string') return undefined;
  const hasDefault = field.default !== undefined && field.default !== null;
  const isThere = field.required === true && !hasDefault;
  return { key: field.key, isOptional: !isThere, type: fieldType(field) };
}

const SIMPLE: Record<string, string> = {
  text: 'string',
  longText: 'string',
  secret: 'string',
  date: 'string',
  number: 'number',
  boolean: 'boolean',
};

function fieldType({ type, options }: Record<string, unknown>): string {
  const simple = SIMPLE[String(type)];
  if (simple !== undefined) return simple;
  if (type !== 'select' && type !== 'multiSelect') return 'unknown';
  const values = Array.isArray(options)
    ? options.map((option) =>
        isJsonObject(option) && typeof option.value === 'string' && !option.value.includes('{{')
          ? JSON.stringify(option.value)
          : 'string',
      )
    : ['string'];
  return type === 'select' ? unionOf(values) : `Array<${unionOf(values)}>`;
}
