import { infiniteQueryOptions } from '@tanstack/react-query';
import type { JsonObject } from '../../../../domain/json.ts';
import { client } from '../../../app/session/session.ts';

export interface AskedOptions {
  appId: string;
  actionId: string;
  field: string;
  connectionId?: string;
  /** The values of the fields that the options depend on. */
  inputs: JsonObject;
  search?: string;
}

const FRESH_MS = 60_000;

/** Asks the service of the app, so a page is not read again merely because the window has the focus. */
export function optionPages({ appId, actionId, ...asked }: AskedOptions) {
  return infiniteQueryOptions({
    queryKey: ['loadOptions', appId, actionId, asked],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      client.loadOptions({
        path: { appId, actionId },
        body: pageParam === undefined ? asked : { ...asked, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => ('cursor' in page ? page.cursor : undefined),
    staleTime: FRESH_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}
