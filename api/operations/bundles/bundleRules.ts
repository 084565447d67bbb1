import { QUEUE_DEFAULTS, TYPE_DEFAULTS } from '../../../domain/bundle/defaults.ts';
import { isJsonObject } from '../../../domain/json.ts';
import { attributeSchemaProblems, dataSchemaProblems } from '../../../domain/object/attributeSchema.ts';
import { type CompiledRules, compileRules } from '../../../domain/object/compiledRules.ts';
import { DEFAULT_SCHEMA_LIMITS, INLINE_SCHEMA_BYTES, type ObjectRules } from '../../../domain/object/rules.ts';
import { dataRules } from '../../../domain/queue/dataRules.ts';
import type { KnownType } from '../../../domain/workflow/check/entities.ts';
import { shapeProblems } from './bundleResources.ts';
import { rulesOf } from './checkOthers.ts';
import { type GivenResource, overlaid } from './resourceCheck.ts';

/** Returns the types of entities of a bundle by slug; without rules if these have problems of their own. */
export async function bundleTypes(all: readonly GivenResource[]): Promise<Map<string, KnownType>> {
  const types = new Map<string, KnownType>();
  for (const given of all.filter(({ kind }) => kind === 'objectType')) {
    const fields = overlaid(TYPE_DEFAULTS, given);
    const isShaped = (await shapeProblems(given)).length === 0;
    types.set(given.slug, {
      isEnabled: fields.isEnabled === true,
      rules: isShaped ? soundRules(rulesOf(fields)) : undefined,
    });
  }
  return types;
}

/** Returns the rules of items by the id of their queue; undefined for any data, or for a schema with problems. */
export function bundleItemRules(all: readonly GivenResource[]): Map<string, CompiledRules | undefined> {
  return new Map(
    all
      .filter(({ kind }) => kind === 'queue')
      .map((given) => {
        const { dataSchema } = overlaid(QUEUE_DEFAULTS, given);
        return [given.id, isJsonObject(dataSchema) ? soundRules(dataRules(dataSchema)) : undefined];
      }),
  );
}

function soundRules(rules: ObjectRules): CompiledRules | undefined {
  const { attributeSchema, isOfItems } = rules;
  const problemsOf = isOfItems ? dataSchemaProblems : attributeSchemaProblems;
  if (attributeSchema && problemsOf(attributeSchema, DEFAULT_SCHEMA_LIMITS).length > 0) return undefined;
  const compiled = compileRules(rules);
  // A larger one is never compiled for the check of a workflow.
  if (compiled.schemaLength > INLINE_SCHEMA_BYTES) return compiled;
  try {
    compiled.prepare();
    return compiled;
  } catch {
    // The check of the resource itself reports it.
    return undefined;
  }
}
