import type { ProblemDetail } from '../problem.ts';
import { attributeSchemaProblems } from './attributeSchema.ts';
import { compileRules } from './compiledRules.ts';
import type { ObjectRules, SchemaLimits } from './rules.ts';
import { stateSchemaProblems } from './stateSchema.ts';

/** Who looks at the rules of a type: here, or elsewhere where that takes long. */
export type RulesCheck = (rules: ObjectRules) => ProblemDetail[] | Promise<ProblemDetail[]>;

/** All that is wrong with the schemas of a type; compiles them. */
export function ruleProblems(rules: ObjectRules, limits: SchemaLimits): ProblemDetail[] {
  const { attributeSchema, stateSchema } = rules;
  const errors = attributeSchema ? attributeSchemaProblems(attributeSchema, limits) : [];
  if (errors.length > 0) return errors;
  const compiled = compileRules(rules);
  try {
    compiled.prepare();
  } catch (error) {
    // Ajv looks into keywords that are nobody's as well, for names of schemas there.
    return [{ path: 'attributeSchema', message: (error as Error).message }];
  }
  if (!stateSchema) return [];
  const bytes = Buffer.byteLength(JSON.stringify(stateSchema));
  const large = { path: 'stateSchema', message: `expected at most ${limits.bytes} bytes of JSON, got ${bytes}` };
  return bytes > limits.bytes ? [large] : stateSchemaProblems(stateSchema, compiled.knows);
}
