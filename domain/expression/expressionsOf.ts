import { isJsonObject, type Json } from '../json.ts';
import { ExpressionError } from './expressionError.ts';
import { templateParts } from './template.ts';

/** Returns the distinct expressions in the texts of a value, without unterminated ones. */
export function expressionsOf(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  collect(value as Json, found);
  return found;
}

function collect(value: Json, found: Set<string>): void {
  if (typeof value === 'string') {
    if (value.includes('{{')) for (const expression of inText(value)) found.add(expression);
  } else if (Array.isArray(value)) {
    for (const item of value) collect(item, found);
  } else if (isJsonObject(value)) {
    for (const item of Object.values(value)) collect(item as Json, found);
  }
}

function inText(text: string): string[] {
  try {
    return templateParts(text).flatMap((part) => (typeof part === 'string' ? [] : [part.expression]));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [];
  }
}

/** Estimates the cost of compiling: the characters of the expressions, plus a constant for each. */
export function charactersOf(expressions: ReadonlySet<string>): number {
  let characters = 0;
  for (const expression of expressions) characters += expression.length + FOR_EACH;
  return characters;
}

const FOR_EACH = 5;
