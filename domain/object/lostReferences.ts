import type { JsonObject } from '../json.ts';
import type { AttributesCheck, CompiledRules, ObjectReference } from './compiledRules.ts';

/** None if the attributes are valid without them: a check also finds references in alternatives that do not apply. */
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
