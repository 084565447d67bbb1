import { isUuid } from '../../../domain/isUuid.ts';
import { pathTo } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { appsOfConnections } from '../../../prisma/store/connection/usableConnections.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';

export interface NamesConnection {
  id?: string;
  appId?: string;
  connectionId?: string;
}

/** The caller who stores or runs the steps; absent for a check. */
export interface ConnectionAuthor {
  workspaceId: string;
  author?: Caller;
}

/** Managed connections of others count as missing. `nodes` are all of a definition; `poll` is the trigger's. */
export async function connectionProblems(
  { database }: Services,
  { workspaceId, author }: ConnectionAuthor,
  nodes: readonly NamesConnection[],
  poll: NamesConnection | undefined,
): Promise<ProblemDetail[]> {
  const all = [...nodes, ...(poll ? [poll] : [])];
  const named = all.flatMap(({ connectionId }) => (connectionId === undefined ? [] : [connectionId]));
  if (named.length === 0) return [];
  return wrongConnections(nodes, poll, await appsOfConnections(database, workspaceId, named.filter(isUuid), author));
}

export function wrongConnections(
  nodes: readonly NamesConnection[],
  poll: NamesConnection | undefined,
  apps: ReadonlyMap<string, string>,
): ProblemDetail[] {
  const users = [
    ...nodes.map(({ id, ...node }, index) => {
      const place = {
        path: pathTo(pathTo('nodes', index), 'connectionId'),
        ...(id === undefined ? {} : { nodeId: id }),
      };
      return { ...node, place };
    }),
    ...(poll ? [{ ...poll, place: { path: 'trigger.config.connectionId' } }] : []),
  ];
  return users.flatMap(({ appId, connectionId, place }): ProblemDetail[] => {
    const app = connectionId === undefined ? appId : apps.get(connectionId.toLowerCase());
    if (app === appId) return [];
    const message =
      app === undefined
        ? `there is no connection ${connectionId}`
        : `the connection belongs to ${app}, expected one of ${appId}`;
    return [{ ...place, message }];
  });
}
