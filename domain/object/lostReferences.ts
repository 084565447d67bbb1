import type { JsonObject } from '../json.ts';
import type { CompiledRules, ObjectReference } from './compiledRules.ts';

/**
 * The references of checked attributes that lead nowhere. None if the attributes hold without them: a check finds those of
 * alternatives too that it then does not take.
 */
export function lostReferences(
  { check }: CompiledRules,
  attributes: JsonObject,
  references: readonly ObjectReference[],
  exists: (reference: ObjectReference) => boolean,
): ObjectReference[] {
  const lost = references.filter((each) => !exists(each));
  return lost.length === 0 || check(attributes, exists).errors.length === 0 ? [] : lost;
}
