import { isUuid } from '../isUuid.ts';
import type { Reference } from './reference.ts';

/**
 * Lists what a definition names, as it is stored for checks before a deletion: `connection/<id>`, `workflow@<slug>`.
 * Texts that should be ids and are not name nothing.
 */
export function namedBy(references: readonly Pick<Reference, 'kind' | 'by' | 'name'>[]): string[] {
  const names = references.flatMap(({ kind, by, name }) => {
    if (by === 'slug') return [`${kind}@${name}`];
    return isUuid(name) ? [`${kind}/${name.toLowerCase()}`] : [];
  });
  return [...new Set(names)].sort();
}
