import type { ObjectChecks } from '../../domain/object/compiledRules.ts';

/** Entities are checked in the test's own thread. */
export function checksUpTo(maxBytes: number): ObjectChecks {
  return { maxBytes, check: (rules, attributes, exists) => rules.check(attributes, exists) };
}
