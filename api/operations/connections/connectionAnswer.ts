import type { Catalogue } from '../../../domain/app/manifest.ts';
import type { Json } from '../../../domain/json.ts';

/** With `workflowApp`, where it was asked for, as the catalogue's entry; null for an app that is no longer in it. */
export function connectionAnswer(catalogue: Catalogue, item: Record<string, Json>): Record<string, Json> {
  if (typeof item.workflowApp !== 'string') return item;
  const app = catalogue.get(item.workflowApp);
  return { ...item, workflowApp: app ? { appId: app.appId, name: app.name, icon: app.icon } : null };
}
