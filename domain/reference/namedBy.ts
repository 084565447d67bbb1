import { isUuid } from '../isUuid.ts';
import type { Reference } from './reference.ts';

/**
 * What a definition names, as it is kept beside it for deletions: `connection/<id>`, `workflow@<slug>`, each once. What is
 * no id is left out: it names nothing.
 */
export function namedBy(references: readonly Pick<Reference, 'kind' | 'by' | 'name'>[]): string[] {
  const names = references.flatMap(({ kind, by, name }) => {
    if (by === 'slug') return [`${kind}@${name}`];
    return isUuid(name) ? [`${kind}/${name.toLowerCase()}`] : [];
  });
  return [...new Set(names)].sort();
}
