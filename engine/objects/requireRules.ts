import { refuse } from '../../domain/object/checkObject.ts';
import type { RulesCheck } from '../../domain/object/ruleProblems.ts';
import type { ObjectRules } from '../../domain/object/rules.ts';

/** Throws VALIDATION_FAILED with all problems of a type's schemas. */
export async function requireRules(rules: ObjectRules, problemsOf: RulesCheck): Promise<void> {
  const errors = await problemsOf(rules);
  if (errors.length > 0) refuse('VALIDATION_FAILED', errors);
}
