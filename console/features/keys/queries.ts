import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

export type ApiKey = Answer<'listApiKeys'>[number];

export const KEY_LIST = ['listApiKeys'];

/** The feed has no events about changes by other admins. */
const AGAIN_MS = 60_000;

export const keyPages = () => ({ ...pagesOf('listApiKeys', {}), refetchInterval: AGAIN_MS });

const MAX_KEYS = 1_000;

export function allKeys() {
  return queryOptions({
    queryKey: [...KEY_LIST, 'all'],
    queryFn: ({ signal }) => client.listApiKeys({ query: { limit: MAX_KEYS }, signal }),
  });
}
