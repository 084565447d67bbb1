import type { CompiledValue } from '../expression/compiledValue.ts';
import { ExpressionError } from '../expression/expressionError.ts';
import type { Scope } from '../expression/scope.ts';
import { templateParts } from '../expression/template.ts';
import { kindOfJson } from '../fieldType.ts';
import type { Json } from '../json.ts';

/** Wraps `trigger.body.id` as `{{ trigger.body.id }}`, because a constant key would make all requests equal. */
export function duplicateKeyTemplate(key: string): string {
  return key.includes('{{') ? key : `{{ ${key} }}`;
}

/** 17 and "17" are equal. Throws ExpressionError, also if the value is neither text nor number. */
export function duplicateKeyOf(compiled: CompiledValue, source: string, trigger: Json): string {
  // There is no execution yet; validation rejects expressions over steps and variables.
  const scope = { trigger, steps: {}, variables: {}, execution: {} } as unknown as Scope;
  const key = compiled.evaluate(scope);
  if (typeof key === 'number' || (typeof key === 'string' && key !== '')) return String(key);
  const got = key === '' ? 'an empty text' : kindOfJson(key);
  const [part, ...more] = templateParts(duplicateKeyTemplate(source));
  const text = typeof part === 'object' && more.length === 0 ? part.expression : source;
  throw new ExpressionError({ reason: `got ${got}`, text, position: 0, expected: 'text or a number' });
}
