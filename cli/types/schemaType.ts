import { isJsonObject } from '../../domain/json.ts';
import { keyText, type Members, objectType, unionOf } from './typeText.ts';

/** Converts a JSON Schema to a TypeScript type; unsupported keywords become `unknown`. */
export function schemaType(schema: unknown): string {
  if (!isJsonObject(schema)) return 'unknown';
  if ('const' in schema) return literalType(schema.const);
  if (Array.isArray(schema.enum)) return unionOf(schema.enum.map(literalType));
  for (const key of ['anyOf', 'oneOf']) {
    const any = schema[key];
    if (Array.isArray(any)) return unionOf(any.map(schemaType));
  }
  const { type } = schema;
  if (Array.isArray(type)) return unionOf(type.map((each) => schemaType({ ...schema, type: each })));
  if (type === 'object' || (type === undefined && isJsonObject(schema.properties))) return objectOf(schema);
  if (type === 'array' && Array.isArray(schema.prefixItems))
    return `[${schema.prefixItems.map(schemaType).join(', ')}]`;
  if (type === 'array') {
    const items = schemaType(schema.items);
    return /^[\w.]+$/.test(items) ? `${items}[]` : `Array<${items}>`;
  }
  return SIMPLE[String(type)] ?? 'unknown';
}

const SIMPLE: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

function objectOf({ properties, required, additionalProperties }: Record<string, unknown>): string {
  const needed = new Set(Array.isArray(required) ? required : []);
  const members: Members = isJsonObject(properties)
    ? Object.entries(properties).map(([key, each]) => ({ key, isOptional: !needed.has(key), type: schemaType(each) }))
    : [];
  const others = isJsonObject(additionalProperties) ? schemaType(additionalProperties) : 'unknown';
  if (members.length > 0) return objectType(members);
  return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${others}>`;
}

function literalType(value: unknown): string {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(literalType).join(', ')}]`;
  if (!isJsonObject(value)) return 'unknown';
  return `{ ${Object.entries(value)
    .map(([key, each]) => `${keyText(key)}: ${literalType(each)}`)
    .join('; ')} }`;
}
