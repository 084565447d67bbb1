import { chooseConnection, type UsableConnection } from '../../domain/app/chooseConnection.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { unsealConnection } from '../../engine/secrets/unsealConnection.ts';
import { usableConnections } from '../../prisma/store/connection/usableConnections.ts';
import type { ActionCall } from '../apps/executor.ts';
import type { ActivityServices } from '../services.ts';
import { invalid } from './resolvedInputs.ts';
import { whileDatabaseAway } from './whileDatabaseAway.ts';

/** More would fill the message, and nobody would read them. */
const MOST_NAMED = 10;

export type FoundConnection =
  | { connection?: NonNullable<ActionCall['connection']>; connectionId?: string }
  | { failure: Failure };

/**
 * The opened connection of an action: the one that its node names; if the action needs one and the node names none, the
 * workspace's only or default connection of the app at this moment. So a workflow can be stored before its app is
 * connected, and one definition serves several workspaces.
 */
export async function connectionOfNode(
  services: ActivityServices,
  workspaceId: string,
  { node, action }: CompiledNode,
  signal: AbortSignal,
): Promise<FoundConnection> {
  const { database, vault, log } = services;
  const { appId = '' } = node;
  const needs = node.connectionId === undefined && action?.requiresConnection === true;
  const usable = needs
    ? await whileDatabaseAway(signal, log, () => usableConnections(database, workspaceId, appId))
    : [];
  const connectionId = node.connectionId ?? chooseConnection(usable, { defaultCounts: true })?.id;
  if (connectionId === undefined) return needs ? { failure: required(services, appId, usable) } : {};
  const connection = await whileDatabaseAway(signal, log, () =>
    unsealConnection(database, vault, workspaceId, connectionId),
  );
  if (connection) return { connection, connectionId };
  return { failure: invalid(`connectionId: the connection ${connectionId} does not exist`) };
}

function required({ catalogue }: ActivityServices, appId: string, usable: readonly UsableConnection[]): Failure {
  const app = catalogue.get(appId)?.name ?? appId;
  const named = usable.slice(0, MOST_NAMED).map(({ id, name }) => `${name} (${id})`);
  const more = usable.length > MOST_NAMED ? ` and ${usable.length - MOST_NAMED} more` : '';
  const message =
    usable.length === 0
      ? `${app} has no connection: connect it first`
      : `connectionId: none of the ${usable.length} connections of ${app} is the default; name one of ${named.join(', ')}${more}`;
  return { code: 'CONNECTION_REQUIRED', message, retryable: false };
}
