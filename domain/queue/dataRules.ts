import type { JsonObject } from '../json.ts';
import type { ObjectRules } from '../object/rules.ts';

/** Items are checked like entities with one attribute, `data`. */
export function dataRules(schema: JsonObject): ObjectRules {
  return { attributeSchema: schema, stateSchema: null, allowUnknownAttributes: false, isOfItems: true };
}
