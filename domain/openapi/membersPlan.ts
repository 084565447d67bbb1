import { fieldKeys, freeKey, type OperationPlan, PLAIN_STYLE, type PlannedField, wholeBody } from './operationPlan.ts';
import type { References } from './references.ts';
import { type PlacedSchema, shapeOf } from './schemaShape.ts';

const MAX_MEMBERS = 200;

/** Plans the members of an object's schema as fields; one field `body` if they are unknown or too many. */
export function membersPlan(schema: PlacedSchema, references: References): OperationPlan {
  const shape = shapeOf(references, schema);
  const taken = fieldKeys();
  const isWhole = shape.isOpen || shape.properties.size > MAX_MEMBERS;
  const fields = isWhole
    ? [wholeBody(shape, true, taken)]
    : [...shape.properties].map(([name, member]): PlannedField => {
        const key = freeKey(name, 'body', taken);
        const isRequired = shape.required.has(name);
        return { key, name, in: 'body', isRequired, shape: shapeOf(references, member), style: PLAIN_STYLE };
      });
  const body = { contentType: 'application/json', kind: 'json' as const, isRequired: true, isWhole };
  return { fields, body, idempotencyHeader: undefined };
}
