import { chooseConnection, type UsableConnection } from '../../domain/app/chooseConnection.ts';
import type { AppManifest } from '../../domain/app/manifest.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { usableConnections } from '../../prisma/store/connection/usableConnections.ts';
import type { ActionCall } from '../apps/executor.ts';
import { openConnection } from '../connections/openConnection.ts';
import type { ActivityServices } from '../services.ts';
import { invalid } from './resolvedInputs.ts';
import { whileDatabaseAway } from './whileDatabaseAway.ts';

/** Keeps the error message readable. */
const MAX_NAMED = 10;

export type FoundConnection =
  | { connection?: NonNullable<ActionCall['connection']>; connectionId?: string }
  /** `connectionId` is set if the connection exists but cannot be used now. */
  | { failure: Failure; connectionId?: string };

/**
 * Returns the opened connection of an action: the one that its node names, or else, if the action needs one, the app's
 * only or default connection in the workspace at this moment. So a workflow can be stored before its app is connected,
 * and one definition works in several workspaces.
 */
export async function connectionOfNode(
  services: ActivityServices,
  workspaceId: string,
  compiled: CompiledNode,
  signal: AbortSignal,
): Promise<FoundConnection> {
  const { log } = services;
  const chosen = await whileDatabaseAway(signal, log, () => chosenConnection(services, workspaceId, compiled));
  if ('failure' in chosen) return chosen;
  const { connectionId } = chosen;
  if (connectionId === undefined) return {};
  const opened = await whileDatabaseAway(signal, log, () => openConnection(services, workspaceId, connectionId));
  if (opened && 'failure' in opened) return { ...opened, connectionId };
  if (opened) return { connection: opened.connection, connectionId };
  return { failure: invalid(`connectionId: the connection ${connectionId} does not exist`) };
}

/** Opens nothing. */
export async function chosenConnection(
  services: ActivityServices,
  workspaceId: string,
  { node, action, customApp }: CompiledNode,
): Promise<{ connectionId?: string } | { failure: Failure }> {
  const { appId = '' } = node;
  if (node.connectionId !== undefined) return { connectionId: node.connectionId };
  if (action?.requiresConnection !== true) return {};
  const usable = await usableConnections(services.database, workspaceId, appId);
  const chosen = chooseConnection(usable, { defaultCounts: true });
  return chosen
    ? { connectionId: chosen.id }
    : { failure: required(customApp ?? services.catalogue.get(appId), appId, usable) };
}

function required(
  manifest: Pick<AppManifest, 'name'> | undefined,
  appId: string,
  usable: readonly UsableConnection[],
): Failure {
  const app = manifest?.name ?? appId;
  const named = usable.slice(0, MAX_NAMED).map(({ id, name }) => `${name} (${id})`);
  const more = usable.length > MAX_NAMED ? ` and ${usable.length - MAX_NAMED} more` : '';
  const message =
    usable.length === 0
      ? `${app} has no connection: connect it first`
      : `connectionId: none of the ${usable.length} connections of ${app} is the default; name one of ${named.join(', ')}${more}`;
  return { code: 'CONNECTION_REQUIRED', message, retryable: false };
}
