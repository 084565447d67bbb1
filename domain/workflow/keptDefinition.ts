import { createHash } from 'node:crypto';
import type { Catalogue } from '../app/manifest.ts';
import type { JsonObject } from '../json.ts';
import { namedBy } from '../reference/namedBy.ts';
import { referencesIn } from '../reference/references.ts';
import { canonicalJson } from './canonical.ts';
import type { Definition } from './definition.ts';

/** A definition as its row keeps it: `hash` (SHA-256) is the same for equal ones, `named` what it uses. */
export function keptDefinition(definition: Definition, catalogue: Catalogue) {
  return {
    definition,
    hash: createHash('sha256').update(canonicalJson(definition)).digest(),
    named: namedBy(referencesIn('workflow', definition as unknown as JsonObject, catalogue)),
  };
}
