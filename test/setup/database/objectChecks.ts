import type { ObjectChecks } from '../../../domain/object/compiledRules.ts';
import { type RulesCheck, ruleProblems } from '../../../domain/object/ruleProblems.ts';
import { DEFAULT_SCHEMA_LIMITS } from '../../../domain/object/rules.ts';

/** Checks entities in the test's own thread. */
export function checksUpTo(maxBytes: number): ObjectChecks {
  return { maxBytes, check: (rules, attributes, exists) => rules.check(attributes, exists) };
}

export const problemsOf: RulesCheck = (rules) => ruleProblems(rules, DEFAULT_SCHEMA_LIMITS);
