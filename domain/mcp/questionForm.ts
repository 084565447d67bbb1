import type { Field } from '../field.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** MCP forbids forms for secrets. */
export function isAskable(fields: readonly Field[]): boolean {
  return fields.every(({ type }) => type !== 'secret');
}

/** The form of an elicitation, whose schema MCP limits to flat objects of simple values. */
export function questionForm(fields: readonly Field[]): JsonObject {
  const required = fields.filter((field) => field.required && field.default === undefined).map(({ key }) => key);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.key, formField(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function formField({ type, label, help, options = [], default: given, required }: Field): JsonObject {
  const common: JsonObject = {
    title: label,
    ...(help === undefined ? {} : { description: help }),
    ...(given === undefined || given === null || isJsonObject(given) ? {} : { default: given }),
  };
  switch (type) {
    case 'number':
      return { type: 'number', ...common };
    case 'boolean':
      return { type: 'boolean', ...common };
    case 'select':
      // Clients of 2025-06-18 know no other form of titles.
      return {
        type: 'string',
        enum: options.map(({ value }) => value),
        enumNames: options.map((each) => each.label),
        ...common,
      };
    case 'multiSelect':
      return {
        type: 'array',
        items: { anyOf: options.map((each) => ({ const: each.value, title: each.label })) },
        ...common,
      };
    case 'json':
      return { type: 'string', title: label, description: help === undefined ? 'JSON' : `${help} (JSON)` };
    case 'date':
      return { type: 'string', ...common, description: help ?? 'A date or a time in ISO 8601' };
    default:
      return { type: 'string', ...common, ...(required ? { minLength: 1 } : {}) };
  }
}

/** Restores the values of a form: JSON is typed as text, and clients send empty texts for fields left empty. */
export function answerOfForm(fields: readonly Field[], content: JsonObject): JsonObject {
  const entries = Object.entries(content).flatMap(([key, value]): [string, Json][] => {
    const field = fields.find((each) => each.key === key);
    if (value === '' && field && field.type !== 'text' && field.type !== 'longText') return [];
    return [[key, field?.type === 'json' ? parsed(value) : value]];
  });
  return Object.fromEntries(entries);
}

function parsed(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
