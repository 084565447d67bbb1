import { createHash } from 'node:crypto';
import type { Catalogue } from '../app/manifest.ts';
import type { JsonObject } from '../json.ts';
import { namedBy } from '../reference/namedBy.ts';
import { referencesIn } from '../reference/references.ts';
import { type AgentDefinition, definitionText } from './definition.ts';

/** A definition as its row keeps it: `hash` (SHA-256) is the same for equal ones, `named` what it uses. */
export function keptDefinition(definition: AgentDefinition, catalogue: Catalogue) {
  return {
    definition,
    hash: createHash('sha256').update(definitionText(definition)).digest(),
    named: namedBy(referencesIn('agent', definition as unknown as JsonObject, catalogue)),
  };
}
