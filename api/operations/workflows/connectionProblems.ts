import { isUuid } from '../../../domain/isUuid.ts';
import { pathTo } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { appsOfConnections } from '../../../prisma/store/connection/usableConnections.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';

/** A node, or the config of a poll trigger, as far as its connection goes. */
export interface NamesConnection {
  id?: string;
  appId?: string;
  connectionId?: string;
}

/** Whoever is going to store or to run the steps; absent where they are only looked at. */
export interface ConnectionAuthor {
  workspaceId: string;
  author?: Caller;
}

/**
 * Connections that the workspace lacks, or that are managed and not the caller's, as if they were not there, or that belong to another app; `nodes` are all of a definition, in order, and
 * `poll` is the config of its trigger where that is one.
 */
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

/** The same, by the apps of the connections that are there. */
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
        : `the connection is of ${app}, expected one of ${appId}`;
    return [{ ...place, message }];
  });
}
