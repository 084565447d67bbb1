import type { McpServer } from '../../../domain/agent/definition.ts';
import { connectionSecrets } from '../../../domain/app/connectionSecrets.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { credentialHeader } from '../../apps/http/outgoing.ts';
import { openConnection } from '../../connections/openConnection.ts';
import { mcpFailure } from '../../providers/mcpFailure.ts';
import type { McpLimits, McpSession } from '../../providers/mcpSession.ts';
import type { ActivityServices } from '../../services.ts';

const MAX_CHARACTERS = 1_000;

export type McpOutcome<T> =
  | { ok: true; value: T; secrets: readonly string[] }
  | { ok: false; message: string; isRetryable: boolean };

/** Opens a session with the credential of the server's connection. No message contains the credential. */
export async function withMcpServer<T>(
  services: ActivityServices,
  workspaceId: string,
  server: McpServer,
  limits: McpLimits,
  work: (session: McpSession) => Promise<T>,
): Promise<McpOutcome<T>> {
  const { catalogue, mcpSessions } = services;
  const { name, url, connectionId } = server;
  const opened = connectionId === null ? undefined : await openConnection(services, workspaceId, connectionId);
  if (opened && 'failure' in opened) {
    const { message, retryable } = opened.failure;
    return { ok: false, message: `The MCP server ${name} was not called: ${message}`, isRetryable: retryable };
  }
  if (connectionId !== null && opened?.workflowAppId !== 'http') {
    return { ok: false, message: `The connection of the MCP server ${name} is gone`, isRetryable: false };
  }
  const connection = opened?.connection;
  const secrets = connectionSecrets(catalogue.get('http')?.connectionTypes, connection);
  try {
    const credential = credentialHeader(connection, new URL(url));
    const headers = credential ? { [credential.name]: credential.value } : {};
    return { ok: true, value: await mcpSessions({ url, workspaceId, headers }, limits, work), secrets };
  } catch (error) {
    if (limits.signal.aborted) throw error;
    const { said, isRetryable } = await mcpFailure(error, limits.timeoutMs);
    const message = maskSecrets(`The MCP server ${name} ${said}`, secrets).slice(0, MAX_CHARACTERS);
    return { ok: false, message, isRetryable };
  }
}
