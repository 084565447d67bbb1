import type { ActivityServices } from './services.ts';

/** Returns the services with the present catalogue of the workspace, for definitions that are not stored yet. */
export async function withApps(services: ActivityServices, workspaceId: string): Promise<ActivityServices> {
  return { ...services, catalogue: await services.apps.current(workspaceId) };
}
