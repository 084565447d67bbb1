import { isOneExpression, templateParts } from '../expression/template.ts';
import { isJsonObject, type Json } from '../json.ts';
import { expressionSchema, type Names } from './expressionSchema.ts';
import { literalSchema, objectOf, TEXT, UNKNOWN, type ValueSchema } from './valueSchema.ts';

export function templateSchema(template: Json, names: Names): ValueSchema {
  if (typeof template === 'string') return textSchema(template, names);
  if (Array.isArray(template)) {
    return { type: 'array', prefixItems: template.map((each) => templateSchema(each, names)) };
  }
  if (!isJsonObject(template)) return literalSchema(template);
  const members = Object.entries(template).map(([key, each]) => [key, templateSchema(each, names)] as const);
  return objectOf(Object.fromEntries(members));
}

function textSchema(text: string, names: Names): ValueSchema {
  if (!text.includes('{{')) return literalSchema(text);
  if (!isOneExpression(text)) return TEXT;
  const [part] = templateParts(text);
  return part === undefined || typeof part === 'string' ? UNKNOWN : expressionSchema(part.expression, names);
}
