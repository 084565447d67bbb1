import { MASK } from '../../domain/execution/maskSecrets.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { ExpressionError } from '../../domain/expression/expressionError.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { checkFieldValues } from '../../domain/fieldValues.ts';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { isDeeperThan, MAX_DEPTH } from '../../domain/jsonDepth.ts';
import { storageProblem } from '../../domain/storableJson.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';

/** A definition's own levels, and at the end of them a value that has as many. */
const MAX_INPUT_DEPTH = 2 * MAX_DEPTH;

export type Resolved =
  | { ok: true; inputs: JsonObject; shown: JsonObject; bytes: number }
  | { ok: false; failure: Failure };

/** A node's inputs with their expressions evaluated; `shown` is what people may see: secrets are masked. `bytes` is about their size. */
export function resolveInputs(compiled: CompiledNode, scope: Scope): Resolved {
  const evaluated = evaluate(() => compiled.inputs.evaluate(scope));
  if (!evaluated.ok) return evaluated;
  const values = isJsonObject(evaluated.value) ? evaluated.value : {};
  if (isDeeperThan(values, MAX_INPUT_DEPTH)) {
    const message = `the inputs are nested too deeply; at most ${MAX_INPUT_DEPTH} levels are allowed`;
    return { ok: false, failure: invalid(message) };
  }
  const text = JSON.stringify(values);
  const bytes = text.length;
  const unstorable = storageProblem(text);
  if (unstorable) return { ok: false, failure: invalid(unstorable) };
  const fields = compiled.action?.inputConfig.fields;
  if (!fields) return { ok: true, inputs: values, shown: values, bytes };

  const checked = checkFieldValues(fields, values, 'reject');
  if (checked.problems.length > 0) {
    return { ok: false, failure: invalid(checked.problems.map((each) => `${each.path}: ${each.message}`).join('; ')) };
  }
  const shown = { ...checked.values };
  for (const field of fields) if (field.type === 'secret' && shown[field.key] != null) shown[field.key] = MASK;
  return { ok: true, inputs: checked.values, shown, bytes };
}

/** Runs an evaluation; a broken expression becomes a failure that a retry would not mend. */
export function evaluate<T extends Json>(work: () => T): { ok: true; value: T } | { ok: false; failure: Failure } {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    // A text of data that is too deep or too long for JSON.stringify: it is so at each attempt.
    if (error instanceof RangeError) return { ok: false, failure: expressionFailure(error.message) };
    if (!(error instanceof ExpressionError)) throw error;
    const message = error.path === '' ? error.message : `${error.path}: ${error.message}`;
    return { ok: false, failure: expressionFailure(message) };
  }
}

function expressionFailure(message: string): Failure {
  return { code: 'EXPRESSION_FAILED', message, retryable: false };
}

export function invalid(message: string): Failure {
  return { code: 'INVALID_INPUT', message, retryable: false };
}
