import type { ProblemDetail } from '../problem.ts';
import { attributeSchemaProblems, dataSchemaProblems } from './attributeSchema.ts';
import { compileRules } from './compiledRules.ts';
import type { ObjectRules, SchemaLimits } from './rules.ts';
import { stateSchemaProblems } from './stateSchema.ts';

export type RulesCheck = (rules: ObjectRules) => ProblemDetail[] | Promise<ProblemDetail[]>;

export function ruleProblems(rules: ObjectRules, limits: SchemaLimits): ProblemDetail[] {
  const { attributeSchema, stateSchema, isOfItems } = rules;
  const problemsOf = isOfItems ? dataSchemaProblems : attributeSchemaProblems;
  const errors = attributeSchema ? problemsOf(attributeSchema, limits) : [];
  if (errors.length > 0) return errors;
  const compiled = compileRules(rules);
  try {
    compiled.prepare();
  } catch (error) {
    // Ajv also searches unknown keywords for names of schemas.
    return [{ path: schemaPlace(rules), message: (error as Error).message }];
  }
  if (!stateSchema) return [];
  const bytes = Buffer.byteLength(JSON.stringify(stateSchema));
  const large = { path: 'stateSchema', message: `expected at most ${limits.bytes} bytes of JSON, got ${bytes}` };
  return bytes > limits.bytes ? [large] : stateSchemaProblems(stateSchema, compiled.knows);
}

export function schemaPlace({ isOfItems }: Pick<ObjectRules, 'isOfItems'>): string {
  return isOfItems ? 'dataSchema' : 'attributeSchema';
}
