import { createHash } from 'node:crypto';
import type { Catalogue } from '../app/manifest.ts';
import type { JsonObject } from '../json.ts';
import { namedApps } from '../reference/namedApps.ts';
import { namedBy } from '../reference/namedBy.ts';
import { referencesIn } from '../reference/references.ts';
import { canonicalJson } from './canonical.ts';
import type { Definition } from './definition.ts';

/** Returns the columns of a definition's row. Equal definitions have equal `hash` (SHA-256). */
export function definitionRow(definition: Definition, catalogue: Catalogue) {
  return {
    definition,
    hash: createHash('sha256').update(canonicalJson(definition)).digest(),
    named: namedBy([
      ...referencesIn('workflow', definition as unknown as JsonObject, catalogue),
      ...namedApps(definition.nodes, catalogue),
    ]),
  };
}
