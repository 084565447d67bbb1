import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { client } from '../../app/session/session.ts';

/** The API's description of a link. */
export type LoginTarget = Answer<'readLoginToken'>;

export const ssoProviders = () =>
  queryOptions({
    queryKey: ['listSsoProviders'],
    queryFn: ({ signal }) => client.listSsoProviders({ signal }),
  });

/** Reads whom a link lets in, without using it. */
export const readLoginToken = (token: string): Promise<LoginTarget> => client.readLoginToken({ body: { token } });

/** Asks the API who is logged in here; never answered from the cache, which may hold the person before. */
export const currentUser = () => client.getCurrentUser();
