import type { CompiledValue } from '../expression/compiledValue.ts';
import { ExpressionError } from '../expression/expressionError.ts';
import { equal } from '../expression/functions/order.ts';
import { asUnit, LimitReached } from '../expression/meter.ts';
import type { Scope } from '../expression/scope.ts';
import { kindOfJson } from '../fieldType.ts';
import type { Json } from '../json.ts';
import { inPath, pathTo } from '../place.ts';
import type { CompiledNode } from './compile.ts';

/** Evaluates a condition. Throws ExpressionError, also if the result is not a boolean. */
export function decideCondition(compiled: CompiledNode, scope: Scope): boolean {
  const { condition } = compiled;
  if (condition === undefined) throw new Error(`${compiled.node.id} is not a condition`);
  return decide(condition, 'condition', compiled.node.inputs?.condition, scope);
}

/** Returns the name of the first matching case, or `default`. Later cases are not evaluated. Throws ExpressionError. */
export function decideSwitch(compiled: CompiledNode, scope: Scope): string {
  return asUnit(() => firstCase(compiled, scope));
}

function firstCase(compiled: CompiledNode, scope: Scope): string {
  const { switch: plan } = compiled;
  if (plan === undefined) throw new Error(`${compiled.node.id} is not a switch`);
  const value = plan.value === undefined ? undefined : at('value', () => plan.value?.evaluate(scope));
  for (const [index, one] of plan.cases.entries()) {
    const path = pathTo('cases', index);
    if ('when' in one) {
      if (decide(one.when, pathTo(path, 'when'), one.source, scope)) return one.name;
    } else {
      const other = at(pathTo(path, 'equals'), () => one.equals.evaluate(scope));
      if (areEqual(value, other, pathTo(path, 'equals'))) return one.name;
    }
  }
  return 'default';
}

/** Comparing two long lists may exceed the limits of an expression; then the comparison fails like one. */
function areEqual(value: Json | undefined, other: Json, path: string): boolean {
  try {
    return equal(value, other);
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    const reason = error.message;
    throw new ExpressionError({ code: 'EXPRESSION_LIMIT', reason, text: 'value == equals', position: 0 }, path);
  }
}

/** Evaluates `while` or `until` of a repeat; `path` names it in errors. Throws ExpressionError. */
export function decideRepeat(
  compiled: CompiledValue,
  path: 'while' | 'until',
  source: Json | undefined,
  scope: Scope,
): boolean {
  return decide(compiled, path, source, scope);
}

function decide(compiled: CompiledValue, path: string, source: Json | undefined, scope: Scope): boolean {
  const result = at(path, () => compiled.evaluate(scope));
  if (typeof result === 'boolean') return result;
  const text = typeof source === 'string' ? source.replace(/^\{\{\s*|\s*\}\}$/g, '') : JSON.stringify(source);
  throw new ExpressionError(
    { reason: `got ${kindOfJson(result)}`, text, position: 0, expected: 'true or false' },
    path,
  );
}

function at<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw error.at(inPath(path, error.path));
  }
}
