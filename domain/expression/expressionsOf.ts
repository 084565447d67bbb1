import { isJsonObject, type Json } from '../json.ts';
import { ExpressionError } from './expressionError.ts';
import { templateParts } from './template.ts';

/** The expressions in the texts of a value, each once. Of a text that does not end, none. */
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

/** What compiling them takes, about: their characters, and some for each. */
export function charactersOf(expressions: ReadonlySet<string>): number {
  let characters = 0;
  for (const expression of expressions) characters += expression.length + FOR_EACH;
  return characters;
}

const FOR_EACH = 5;
