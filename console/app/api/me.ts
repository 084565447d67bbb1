import { queryOptions, useQuery } from '@tanstack/react-query';
import { client, keepSession } from '../session/session.ts';
import { QUERIES } from './queries.ts';

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

/** Switches to another workspace of the person. The reload drops cached data and reopens the streams. */
export async function enterWorkspace(workspaceId: string): Promise<void> {
  keepSession(await client.switchWorkspace({ body: { workspaceId } }));
  QUERIES.clear();
  location.assign('/console/');
}
