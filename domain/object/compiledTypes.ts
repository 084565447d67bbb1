import { LRUCache } from 'lru-cache';
import { type CompiledRules, compileRules } from './compiledRules.ts';
import type { ObjectRules } from './rules.ts';

/** Bytes of the cached schemas as JSON. A compiled schema takes about ten times as much. */
const KEPT_BYTES = 4_194_304;
/** The size that is counted for a type without a schema. */
const MIN_BYTES = 1_024;

const compiled = new LRUCache<string, CompiledRules>({ maxSize: KEPT_BYTES });

/** Versions are immutable, so cached rules never become stale. */
export function compiledType(typeId: string, version: number, rules: ObjectRules): CompiledRules {
  const key = `${typeId}@${version}`;
  const known = compiled.get(key);
  if (known) return known;
  const made = compileRules(rules);
  compiled.set(key, made, { size: MIN_BYTES + JSON.stringify(rules).length });
  return made;
}
