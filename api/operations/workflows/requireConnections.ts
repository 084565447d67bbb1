import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { appsOfConnections } from '../../../prisma/store/connection/appsOfConnections.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import type { Services } from '../../services.ts';

/** Throws VALIDATION_FAILED for connections that the workspace lacks or that belong to another app. */
export async function requireConnections(
  { database }: Services,
  workspaceId: string,
  { trigger, nodes }: Definition,
  placeOf: (path: string) => string,
): Promise<void> {
  const users = [
    ...nodes.map(({ id, appId, connectionId }, index) => {
      return { appId, connectionId, nodeId: id, path: placeOf(`nodes[${index}].connectionId`) };
    }),
    ...(trigger.type === 'poll' ? [{ ...trigger.config, path: 'trigger.config.connectionId' }] : []),
  ];
  const named = users.flatMap(({ connectionId }) => (connectionId === undefined ? [] : [connectionId]));
  if (named.length === 0) return;
  const apps = await appsOfConnections(database, workspaceId, named.filter(isUuid));
  const errors = users.flatMap(({ appId, connectionId, path, ...user }): ProblemDetail[] => {
    const app = connectionId === undefined ? appId : apps.get(connectionId);
    if (app === appId) return [];
    const message =
      app === undefined
        ? `there is no connection ${connectionId}`
        : `the connection is of ${app}, expected one of ${appId}`;
    return [{ path, ...('nodeId' in user ? { nodeId: user.nodeId } : {}), message }];
  });
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', 'A connection cannot be used', { errors });
}
