import type { JsonObject } from '../json.ts';
import { pathTo } from '../place.ts';
import { Problem, type ProblemDetail } from '../problem.ts';
import type { CompiledRules, ObjectChecks, ObjectReference } from './compiledRules.ts';
import { stateOf } from './stateSchema.ts';
import { requireFields } from './transitions.ts';

export interface ObjectValues {
  attributes: JsonObject;
  state: string | null;
}

/** Throws UNKNOWN_ATTRIBUTES, VALIDATION_FAILED, EXPRESSION_LIMIT, MISSING_FIELDS. Does not check the references. */
export async function requireAttributes(
  rules: CompiledRules,
  { attributes, state }: ObjectValues,
  { maxBytes, check }: ObjectChecks,
): Promise<ObjectReference[]> {
  const bytes = Buffer.byteLength(JSON.stringify(attributes));
  if (bytes > maxBytes) {
    refuse('VALIDATION_FAILED', [
      { path: 'attributes', message: `expected at most ${maxBytes} bytes of JSON, got ${bytes}` },
    ]);
  }
  const { errors, unknown, references } = await check(rules, attributes);
  const strangers = unknown.map((name) => ({
    path: pathTo('attributes', name),
    message: 'is not an attribute of the entity type',
  }));
  if (strangers.length > 0) refuse('UNKNOWN_ATTRIBUTES', [...strangers, ...errors]);
  if (errors.length > 0) refuse('VALIDATION_FAILED', errors);
  requireFields(rules.stateSchema, state, attributes);
  return references;
}

/** Throws VALIDATION_FAILED. */
export function firstState({ stateSchema }: CompiledRules, asked: string | undefined): string | null {
  if (asked === undefined) return stateSchema?.initial ?? null;
  if (stateSchema && stateOf(stateSchema, asked)) return asked;
  const message = stateSchema
    ? `${JSON.stringify(asked)} is not a state of the type: expected one of ${stateSchema.states.map(({ id }) => JSON.stringify(id)).join(', ')}`
    : 'the entity type has no states';
  return refuse('VALIDATION_FAILED', [{ path: 'state', message }]);
}

export function refuse(code: 'VALIDATION_FAILED' | 'UNKNOWN_ATTRIBUTES', errors: ProblemDetail[]): never {
  throw new Problem(
    code,
    errors
      .map(({ path, message }) => `${path}: ${message}`)
      .slice(0, 10)
      .join('; '),
    { errors },
  );
}
