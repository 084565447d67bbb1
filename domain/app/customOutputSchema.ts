import { isJsonObject, type Json } from '../json.ts';
import type { Shape } from '../workflow/shape.ts';
import type { OutputSchema } from './outputSchema.ts';

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/** Keeps the keywords that the validator reads. A schema of an author may have all of JSON Schema. */
export function readOutputSchema(action: Shape): OutputSchema | undefined {
  const given = action.object('outputSchema');
  return given && schemaOf(given);
}

function schemaOf(given: Json | undefined): OutputSchema {
  if (!isJsonObject(given)) return {};
  const { type, items, properties, required, additionalProperties } = given;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const members = isJsonObject(properties) ? Object.entries(properties) : [];
  return {
    ...(isType(type) ? { type } : {}),
    ...(isJsonObject(items) ? { items: schemaOf(items) } : {}),
    ...(members.length === 0
      ? {}
      : { properties: Object.fromEntries(members.map(([key, of]) => [key, schemaOf(of)])) }),
    ...(names.length === 0 ? {} : { required: names }),
    ...(additionalProperties === false && !isOpen(given) ? { additionalProperties } : {}),
  };
}

function isType(type: Json | undefined): type is NonNullable<OutputSchema['type']> & Json {
  if (Array.isArray(type)) return type.length === 2 && type[0] === 'string' && type[1] === 'null';
  return TYPES.includes(type);
}

/** Other keywords may allow members that `properties` lacks. */
function isOpen(given: object): boolean {
  return ['patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf'].some((keyword) => keyword in given);
}
