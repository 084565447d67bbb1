import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { client } from '../../app/session/session.ts';

export type LoginTarget = Answer<'readLoginToken'>;

export const ssoProviders = () =>
  queryOptions({
    queryKey: ['listSsoProviders'],
    queryFn: ({ signal }) => client.listSsoProviders({ signal }),
  });

/** Reads for whom a link is, without using it. */
export const readLoginToken = (token: string): Promise<LoginTarget> => client.readLoginToken({ body: { token } });

/** Asks the API who is logged in here. Not cached, because the cache may contain the previous person. */
export const currentUser = () => client.getCurrentUser();
