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

/** How the app is stored in the workspace; null for a built-in one. */
export function storedApp(slug: string) {
  const query = { filterBy: `slug:${slug}`, expansion: 'runs,owner,managedByCode,updatedAt' };
  return queryOptions({
    queryKey: ['listApps', slug],
    queryFn: async ({ signal }) => (await client.listApps({ query, signal }))[0] ?? null,
  });
}

const USERS_AGAIN_MS = 3_000;

/** The users that prevent the deletion of the app. They are read again until there are none. */
export function appUsers(slug: string) {
  const query = { filterBy: `slug:${slug}`, expansion: 'usedBy' };
  return queryOptions({
    queryKey: ['listApps', slug, 'usedBy'],
    queryFn: async ({ signal }) => {
      const [app] = await client.listApps({ query, signal });
      return { users: app?.usedBy ?? [], total: app?.usedByTotal ?? 0 };
    },
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.total === 0 ? false : USERS_AGAIN_MS),
  });
}
