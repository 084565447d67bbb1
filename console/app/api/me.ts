import { queryOptions, useQuery } from '@tanstack/react-query';
import { client } from '../session/session.ts';

export const ME = queryOptions({
  queryKey: ['getCurrentUser'],
  queryFn: ({ signal }) => client.getCurrentUser({ signal }),
  staleTime: 60_000,
});

export type Me = Awaited<ReturnType<typeof client.getCurrentUser>>;
export type Permission = Me['permissions'][number];

/** Returns false until the permissions are known. */
export function useMay(): (permission: Permission) => boolean {
  const { data } = useQuery(ME);
  return (permission) => data?.permissions.includes(permission) ?? false;
}
