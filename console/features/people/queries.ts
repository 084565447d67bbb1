import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

export type WorkspaceUser = Answer<'listWorkspaceUsers'>[number];
export type ApiKey = Answer<'listApiKeys'>[number];

export const PEOPLE_LIST = ['listWorkspaceUsers'];
export const KEY_LIST = ['listApiKeys'];

/** The feed has no events about changes by other admins. */
const AGAIN_MS = 60_000;

export const peoplePages = () => ({ ...pagesOf('listWorkspaceUsers', {}), refetchInterval: AGAIN_MS });
export const keyPages = () => ({ ...pagesOf('listApiKeys', {}), refetchInterval: AGAIN_MS });

const MAX_PEOPLE = 1_000;

export function allPeople() {
  return queryOptions({
    queryKey: [...PEOPLE_LIST, 'all'],
    queryFn: ({ signal }) => client.listWorkspaceUsers({ query: { limit: MAX_PEOPLE }, signal }),
  });
}

export function allKeys() {
  return queryOptions({
    queryKey: [...KEY_LIST, 'all'],
    queryFn: ({ signal }) => client.listApiKeys({ query: { limit: MAX_PEOPLE }, signal }),
  });
}
