import type { Failure } from '../../domain/execution/outcome.ts';
import { type LiveConnection, NeedsReconnect, NoTokenNow } from '../../engine/connections/connectionTokens.ts';
import type { CallConnection } from '../apps/executor.ts';
import type { ActivityServices } from '../services.ts';

/** A step with this failure waits for the connection (execution/reconnect.ts). */
export const NEEDS_RECONNECT = 'CONNECTION_NEEDS_RECONNECT';

export type OpenedConnection = { workflowAppId: string; connection: CallConnection } | { failure: Failure };

/** The access token stays valid for a while. Undefined if there is no such connection. Throws the vault's errors. */
export async function openConnection(
  { connectionTokens }: Pick<ActivityServices, 'connectionTokens'>,
  workspaceId: string,
  connectionId: string,
): Promise<OpenedConnection | undefined> {
  const opened = await orFailure(() => connectionTokens.open(workspaceId, connectionId));
  if (opened === undefined || 'failure' in opened) return opened;
  const { workflowAppId, type, credentials } = opened;
  const connection: CallConnection = { id: connectionId, type, credentials };
  let { version } = opened;
  if (version !== undefined) {
    connection.renew = async () => {
      const renewed = await orFailure(() => connectionTokens.renewed(workspaceId, connectionId, version ?? 0));
      if (renewed === undefined) return { failure: gone(connectionId) };
      if ('failure' in renewed) return renewed;
      version = renewed.version;
      connection.credentials = renewed.credentials;
      return undefined;
    };
  }
  return { workflowAppId, connection };
}

async function orFailure(
  open: () => Promise<LiveConnection | undefined>,
): Promise<LiveConnection | { failure: Failure } | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof NeedsReconnect) {
      return { failure: { code: NEEDS_RECONNECT, message: error.message, retryable: false } };
    }
    if (error instanceof NoTokenNow) {
      return { failure: { code: 'CONNECTION_TOKEN_UNAVAILABLE', message: error.message, retryable: true } };
    }
    throw error;
  }
}

function gone(connectionId: string): Failure {
  return {
    code: 'INVALID_INPUT',
    message: `connectionId: the connection ${connectionId} does not exist`,
    retryable: false,
  };
}
