import type { BundleResource } from '../../../domain/bundle/bundle.ts';
import { referenceText, slugReference } from '../../../domain/bundle/slugReference.ts';
import { withReferences } from '../../../domain/reference/references.ts';
import { offlineServices } from './offlineServices.ts';

/** Replaces the slug of each `@connection/<slug>` that workflows and agents name. */
export function withConnections(
  resources: readonly BundleResource[],
  replacement: (slug: string) => string,
): BundleResource[] {
  const { catalogue } = offlineServices();
  return resources.map((resource) => {
    const { kind, slug, ...body } = resource;
    if (kind !== 'workflow' && kind !== 'agent') return resource;
    const named = withReferences(kind, body, catalogue, ({ kind: of, name }) => {
      const reference = of === 'connection' ? slugReference(name) : undefined;
      if (reference?.kind !== 'connection') return name;
      return referenceText({ kind: 'connection', slug: replacement(reference.slug) });
    });
    return { ...named, kind, slug };
  });
}
