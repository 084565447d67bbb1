import type { Catalogue } from '../app/manifest.ts';

/** Returns the references to apps of the workspace, as `namedBy` takes them. */
export function namedApps(used: readonly { appId?: string }[], catalogue: Catalogue) {
  const slugs = used.flatMap(({ appId = '' }) => (catalogue.get(appId)?.custom ? [appId] : []));
  return slugs.map((name) => ({ kind: 'app', by: 'slug', name }) as const);
}
