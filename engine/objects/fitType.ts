import { type ObjectValues, requireAttributes } from '../../domain/object/checkObject.ts';
import type { ObjectReference } from '../../domain/object/compiledRules.ts';
import { compileRules } from '../../domain/object/compiledRules.ts';
import { compiledType } from '../../domain/object/compiledTypes.ts';
import { stateOf } from '../../domain/object/stateSchema.ts';
import { Problem } from '../../domain/problem.ts';
import type { ObjectType } from '../../prisma/store/objectType/readObjectType.ts';

/**
 * Checks values against the type and returns their references. Throws a Problem if they do not fit the current rules,
 * and CONFLICT if they do not fit the announced next rules: an upsert of the type is then checking the existing
 * entities.
 */
export function requireFit(type: ObjectType, values: ObjectValues, maxBytes: number): ObjectReference[] {
  const references = requireAttributes(compiledType(type.id, type.version, type.rules), values, maxBytes);
  if (!type.nextRules) return references;
  const isKnown = (next: ObjectReference) =>
    references.some(({ path, slug }) => path === next.path && slug === next.slug);
  const announced = requireNext(type.nextRules, values, maxBytes).filter((next) => !isKnown(next));
  return [...references, ...announced.map((next) => ({ ...next, isAnnounced: true as const }))];
}

function requireNext(
  nextRules: NonNullable<ObjectType['nextRules']>,
  values: ObjectValues,
  maxBytes: number,
): ObjectReference[] {
  try {
    const next = compileRules(nextRules);
    if (values.state !== null && !(next.stateSchema && stateOf(next.stateSchema, values.state))) {
      throw new Problem('CONFLICT', `its state ${JSON.stringify(values.state)} is being removed`);
    }
    return requireAttributes(next, values, maxBytes);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw unfit(error.message, error);
  }
}

/** It fits the type, and not the announced next rules. */
export function unfit(why: string, cause?: Problem): Problem {
  return new Problem('CONFLICT', `The entity type is being changed, and this would not fit: ${why}`, {
    retryAfter: 1,
    ...(cause ? { cause } : {}),
  });
}
