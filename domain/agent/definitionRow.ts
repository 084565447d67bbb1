import { createHash } from 'node:crypto';
import type { Catalogue } from '../app/manifest.ts';
import type { JsonObject } from '../json.ts';
import { namedApps } from '../reference/namedApps.ts';
import { namedBy } from '../reference/namedBy.ts';
import { referencesIn } from '../reference/references.ts';
import { type AgentDefinition, definitionText } from './definition.ts';

/** Equal definitions have equal `hash` (SHA-256). */
export function definitionRow(definition: AgentDefinition, catalogue: Catalogue) {
  return {
    definition,
    hash: createHash('sha256').update(definitionText(definition)).digest(),
    named: namedBy([
      ...referencesIn('agent', definition as unknown as JsonObject, catalogue),
      ...namedApps(definition.tools, catalogue),
    ]),
  };
}
