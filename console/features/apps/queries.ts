import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { client } from '../../app/session/session.ts';

export type App = Answer<'listWorkflowApps'>[number];

export type OneApp = Answer<'getWorkflowApp'>;

const AGAIN_MS = 10_000;

/** An app of the catalogue. Its workers come and go without an event. */
export function oneApp(appId: string) {
  return queryOptions({
    queryKey: ['getWorkflowApp', appId],
    queryFn: ({ signal }) => client.getWorkflowApp({ path: { appId }, signal }),
    refetchInterval: ({ state }) => (state.data?.runsOn === 'worker' ? AGAIN_MS : false),
  });
}

const MAX_APPS = 1_000;

/** How the app is stored in the workspace; null for a built-in one. */
export function storedApp(slug: string) {
  const query = { expansion: 'runs,owner,managedByCode,updatedAt', limit: MAX_APPS };
  return queryOptions({
    queryKey: ['listApps', slug],
    queryFn: async ({ signal }) => (await client.listApps({ query, signal })).find((app) => app.slug === slug) ?? null,
  });
}
