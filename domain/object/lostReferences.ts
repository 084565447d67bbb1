import type { JsonObject } from '../json.ts';
import type { AttributesCheck, CompiledRules, ObjectReference } from './compiledRules.ts';

/**
 * The references of checked attributes that lead nowhere. None if the attributes hold without them: a check finds those of
 * alternatives too that it then does not take.
 */
export async function lostReferences(
  check: AttributesCheck,
  rules: CompiledRules,
  attributes: JsonObject,
  references: readonly ObjectReference[],
  exists: (reference: ObjectReference) => boolean,
): Promise<ObjectReference[]> {
  const lost = references.filter((each) => !exists(each));
  return lost.length === 0 || (await check(rules, attributes, exists)).errors.length === 0 ? [] : lost;
}
