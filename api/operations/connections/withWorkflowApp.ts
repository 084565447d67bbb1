import type { Item } from '../../../prisma/store/items.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

/** With `workflowApp`, where it was asked for, as the catalogue's entry; null for an app that is no longer in it. */
export function withWorkflowApp(items: Item[], { services: { catalogue } }: ResourceRequest): Item[] {
  return items.map((item) => {
    if (typeof item.workflowApp !== 'string') return item;
    const app = catalogue.get(item.workflowApp);
    return { ...item, workflowApp: app ? { appId: app.appId, name: app.name, icon: app.icon } : null };
  });
}
