import { queryOptions } from '@tanstack/react-query';
import { client } from '../session/session.ts';

export function features() {
  return queryOptions({
    queryKey: ['getEnabledFeatures'],
    queryFn: ({ signal }) => client.getEnabledFeatures({ signal }),
    staleTime: 60_000,
  });
}
