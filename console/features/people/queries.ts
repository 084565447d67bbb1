import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

export type WorkspaceUser = Answer<'listWorkspaceUsers'>[number];

export const PEOPLE_LIST = ['listWorkspaceUsers'];

/** The feed has no events about changes by other admins. */
const AGAIN_MS = 60_000;

export const peoplePages = () => ({ ...pagesOf('listWorkspaceUsers', {}), refetchInterval: AGAIN_MS });

const MAX_PEOPLE = 1_000;

export function allPeople() {
  return queryOptions({
    queryKey: [...PEOPLE_LIST, 'all'],
    queryFn: ({ signal }) => client.listWorkspaceUsers({ query: { limit: MAX_PEOPLE }, signal }),
  });
}
