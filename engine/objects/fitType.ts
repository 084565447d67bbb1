import type { JsonObject } from '../../domain/json.ts';
import { type ObjectValues, requireAttributes } from '../../domain/object/checkObject.ts';
import {
  type CompiledRules,
  compileRules,
  type ObjectChecks,
  type ObjectReference,
} from '../../domain/object/compiledRules.ts';
import { compiledType } from '../../domain/object/compiledTypes.ts';
import { stateOf } from '../../domain/object/stateSchema.ts';
import { Problem } from '../../domain/problem.ts';
import type { ObjectType } from '../../prisma/store/objectType/readObjectType.ts';

/** Attributes that fit the rules, provided that their references exist. */
export interface Fit {
  rules: CompiledRules;
  attributes: JsonObject;
  references: readonly ObjectReference[];
  isAnnounced: boolean;
}

/**
 * Checks values against the type's current and announced rules; returns their references. Throws a Problem for the
 * current rules, CONFLICT for the announced ones: an upsert of the type is checking the existing entities.
 */
export async function requireFit(type: ObjectType, values: ObjectValues, checks: ObjectChecks): Promise<Fit[]> {
  const rules = compiledType(type.id, type.version, type.rules);
  const { attributes } = values;
  const references = await requireAttributes(rules, values, checks);
  const fit = { rules, attributes, references, isAnnounced: false };
  return type.nextRules ? [fit, await requireNext(compileRules(type.nextRules), values, checks)] : [fit];
}

async function requireNext(rules: CompiledRules, values: ObjectValues, checks: ObjectChecks): Promise<Fit> {
  try {
    const { stateSchema } = rules;
    if (values.state !== null && !(stateSchema && stateOf(stateSchema, values.state))) {
      throw new Problem('CONFLICT', `its state ${JSON.stringify(values.state)} is being removed`);
    }
    const references = await requireAttributes(rules, values, checks);
    return { rules, attributes: values.attributes, references, isAnnounced: true };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw unfit(error.message, error);
  }
}

export function unfit(why: string, cause?: Problem): Problem {
  return new Problem('CONFLICT', `The entity type is being changed, and this would not fit: ${why}`, {
    retryAfter: 1,
    ...(cause ? { cause } : {}),
  });
}
