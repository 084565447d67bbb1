import type { Scope } from '../expression/scope.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import { isDeeperThan, MAX_DEPTH } from '../jsonDepth.ts';
import { storageProblem } from '../storableJson.ts';
import type { CompiledNode } from './compile.ts';

/** The depth of a definition, plus the depth of a value at its deepest place. */
const MAX_INPUT_DEPTH = 2 * MAX_DEPTH;

/** `bytes` is the approximate size as JSON. */
export type EvaluatedInputs = { values: JsonObject; bytes: number } | { problem: string };

/** Throws ExpressionError, InlineSpent. */
export function evaluatedInputs(compiled: CompiledNode, scope: Scope): EvaluatedInputs {
  const value = compiled.inputs.evaluate(scope);
  const values = isJsonObject(value) ? value : {};
  if (isDeeperThan(values, MAX_INPUT_DEPTH)) {
    return { problem: `the inputs are nested too deeply; at most ${MAX_INPUT_DEPTH} levels are allowed` };
  }
  const text = JSON.stringify(values);
  const problem = storageProblem(text);
  return problem === undefined ? { values, bytes: text.length } : { problem };
}
