import type { CompiledValue } from '../expression/compiledValue.ts';
import { ExpressionError } from '../expression/expressionError.ts';
import type { Scope } from '../expression/scope.ts';
import { templateParts } from '../expression/template.ts';
import { kindOfJson } from '../fieldType.ts';
import type { Json } from '../json.ts';

/** `trigger.body.id` is the same as `{{ trigger.body.id }}`: a key without an expression would tell nothing apart. */
export function duplicateKeyTemplate(key: string): string {
  return key.includes('{{') ? key : `{{ ${key} }}`;
}

/** The key of a request; 17 and "17" are equal. Throws ExpressionError, also for a value other than text and number. */
export function duplicateKeyOf(compiled: CompiledValue, source: string, trigger: Json): string {
  // There is no execution yet: validation refuses expressions over steps and variables.
  const scope = { trigger, steps: {}, variables: {}, execution: {} } as unknown as Scope;
  const key = compiled.evaluate(scope);
  if (typeof key === 'number' || (typeof key === 'string' && key !== '')) return String(key);
  const got = key === '' ? 'an empty text' : kindOfJson(key);
  const [part, ...more] = templateParts(duplicateKeyTemplate(source));
  const text = typeof part === 'object' && more.length === 0 ? part.expression : source;
  throw new ExpressionError({ reason: `got ${got}`, text, position: 0, expected: 'text or a number' });
}
