import type { ErrorObject } from 'ajv';
import { holdsExpression, isOneExpression } from '../expression/template.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { keysOf } from '../place.ts';

/** Keywords about an object or list that hold regardless of what its expressions become. */
const CERTAIN = new Set(['type', 'required', 'additionalProperties', 'minItems', 'maxItems']);

/** Keywords that choose among schemas: the errors of their branches depend on all values below. */
const CHOOSING = new Set(['anyOf', 'oneOf', 'not', 'if', 'contains']);

/**
 * Returns the errors of a check that remain whatever the expressions in the value become. `isPart`: the value is merged
 * into another one, so that it lacks members.
 */
export function literalErrors(
  errors: readonly ErrorObject[],
  value: JsonObject,
  { isPart }: { isPart: boolean },
): ErrorObject[] {
  const isOpen = (keys: readonly string[]) => (isPart && keys.length === 0) || holdsExpression(valueAt(value, keys));
  const chosen = errors
    .filter(({ keyword }) => CHOOSING.has(keyword))
    .map(({ instancePath }) => keysOf(instancePath))
    .filter(isOpen);
  return errors.filter(({ instancePath, keyword, schemaPath }) => {
    const keys = keysOf(instancePath);
    if (chosen.some((outer) => outer.every((key, index) => keys[index] === key))) return false;
    if (schemaPath.includes('/dependentSchemas/') && isOpen([])) return false;
    if (!isOpen(keys)) return true;
    if (isPart && keys.length === 0) return keyword === 'additionalProperties';
    const open = valueAt(value, keys);
    // Text around an expression is always text.
    if (typeof open === 'string') return keyword === 'type' && !isOneExpression(open);
    return CERTAIN.has(keyword);
  });
}

function valueAt(value: Json, keys: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const key of keys) at = Array.isArray(at) ? at[Number(key)] : isJsonObject(at) ? at[key] : undefined;
  return at;
}
