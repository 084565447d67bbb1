import { isUuid } from '../isUuid.ts';
import type { Reference } from './reference.ts';

/** Lists what a definition names, as stored for checks before a deletion: `connection/<id>`, `workflow@<slug>`. */
export function namedBy(
  references: readonly (Pick<Reference, 'by' | 'name'> & { kind: Reference['kind'] | 'app' })[],
): string[] {
  const names = references.flatMap(({ kind, by, name }) => {
    if (by === 'slug') return [`${kind}@${name}`];
    return isUuid(name) ? [`${kind}/${name.toLowerCase()}`] : [];
  });
  return [...new Set(names)].sort();
}
