import { MASK, maskSecrets } from '../../domain/execution/maskSecrets.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { ExpressionError } from '../../domain/expression/expressionError.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { checkFieldValues } from '../../domain/fieldValues.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import type { EvaluatedInputs } from '../../domain/workflow/evaluatedInputs.ts';
import type { Evaluation } from '../../engine/evaluation/evaluation.ts';

export type Resolved =
  | { ok: true; inputs: JsonObject; shown: JsonObject; bytes: number }
  | { ok: false; failure: Failure };

/** The expressions to evaluate: those of an inline node, or of a task. */
export interface Evaluated {
  workspaceId: string;
  compiled: CompiledNode;
  scope: Scope;
}

/** `shown` has secrets masked. Returns a promise only if the evaluation takes more than some milliseconds. */
export function resolveInputs({ evaluation }: Evaluates, of: Evaluated): Resolved | Promise<Resolved> {
  const { workspaceId, compiled, scope } = of;
  return continueWith(
    evaluate(() => evaluation.inputs(workspaceId, compiled, scope)),
    (evaluated) => (evaluated.ok ? resolved(compiled, evaluated.value, scope.secrets) : evaluated),
  );
}

export interface Evaluates {
  evaluation: Evaluation;
}

function resolved(compiled: CompiledNode, evaluated: EvaluatedInputs, secrets: readonly string[] = []): Resolved {
  if ('problem' in evaluated) return { ok: false, failure: invalid(evaluated.problem) };
  const { values, bytes } = evaluated;
  const fields = compiled.action?.inputConfig.fields;
  if (!fields) return { ok: true, inputs: values, shown: values, bytes };

  const checked = checkFieldValues(fields, values, 'reject');
  if (checked.problems.length > 0) {
    return { ok: false, failure: invalid(checked.problems.map((each) => `${each.path}: ${each.message}`).join('; ')) };
  }
  const shown = { ...checked.values };
  for (const field of fields) if (field.type === 'secret' && shown[field.key] != null) shown[field.key] = MASK;
  return { ok: true, inputs: checked.values, shown: maskSecrets(shown, secrets), bytes };
}

/**
 * Continues with the value synchronously if it is available, so that the hot path creates no promise. It is not called
 * `then` because a dynamically imported module that exports `then` is treated as a promise.
 */
export function continueWith<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

type Outcome<T> = { ok: true; value: T } | { ok: false; failure: Failure };

/** Runs an evaluation. A broken expression becomes a failure that is not retryable. */
export function evaluate<T>(work: () => T | Promise<T>): Outcome<T> | Promise<Outcome<T>> {
  try {
    const value = work();
    if (value instanceof Promise) return value.then((found) => ({ ok: true, value: found }), failureOf);
    return { ok: true, value };
  } catch (error) {
    return failureOf(error);
  }
}

function failureOf(error: unknown): { ok: false; failure: Failure } {
  // The data is too deep or too long for JSON.stringify, so every attempt would fail.
  if (error instanceof RangeError) return { ok: false, failure: failed('EXPRESSION_FAILED', error.message) };
  if (!(error instanceof ExpressionError)) throw error;
  const { code, path, message } = error;
  return { ok: false, failure: failed(code, path === '' ? message : `${path}: ${message}`) };
}

function failed(code: string, message: string): Failure {
  return { code, message, retryable: false };
}

export function invalid(message: string): Failure {
  return { code: 'INVALID_INPUT', message, retryable: false };
}
