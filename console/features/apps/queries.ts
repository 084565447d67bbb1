import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { client } from '../../app/session/session.ts';
import { escaped } from '../../ui/escaped.ts';

export type App = Answer<'listWorkflowApps'>[number];

/** An app of the catalogue. */
export function oneApp(appId: string) {
  return queryOptions({
    queryKey: ['getWorkflowApp', appId],
    queryFn: ({ signal }) => client.getWorkflowApp({ path: { appId }, signal }),
  });
}

/** How the app is stored in the workspace; null for a built-in one. */
export function storedApp(slug: string) {
  const query = { filterBy: `slug:${escaped(slug)}`, expansion: 'runs,owner,managedByCode,updatedAt', limit: 1 };
  return queryOptions({
    queryKey: ['listApps', slug],
    queryFn: async ({ signal }) => (await client.listApps({ query, signal }))[0] ?? null,
  });
}
