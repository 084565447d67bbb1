import { attributeSchemaProblems } from '../../domain/object/attributeSchema.ts';
import { refuse } from '../../domain/object/checkObject.ts';
import { type CompiledRules, compileRules } from '../../domain/object/compiledRules.ts';
import type { ObjectRules, SchemaLimits } from '../../domain/object/rules.ts';
import { stateSchemaProblems } from '../../domain/object/stateSchema.ts';

/** Throws VALIDATION_FAILED with all that is wrong with the schemas of a type. */
export function requireRules(rules: ObjectRules, limits: SchemaLimits): void {
  const { attributeSchema, stateSchema } = rules;
  const errors = attributeSchema ? attributeSchemaProblems(attributeSchema, limits) : [];
  if (errors.length > 0) refuse('VALIDATION_FAILED', errors);
  const { knows } = compiled(rules);
  if (!stateSchema) return;
  const bytes = Buffer.byteLength(JSON.stringify(stateSchema));
  const large = { path: 'stateSchema', message: `expected at most ${limits.bytes} bytes of JSON, got ${bytes}` };
  const wrong = bytes > limits.bytes ? [large] : stateSchemaProblems(stateSchema, knows);
  if (wrong.length > 0) refuse('VALIDATION_FAILED', wrong);
}

function compiled(rules: ObjectRules): CompiledRules {
  try {
    return compileRules(rules);
  } catch (error) {
    // Ajv looks into keywords that are nobody's as well, for names of schemas there.
    return refuse('VALIDATION_FAILED', [{ path: 'attributeSchema', message: (error as Error).message }]);
  }
}
