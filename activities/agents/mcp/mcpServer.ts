import type { McpServer } from '../../../domain/agent/definition.ts';
import { connectionSecrets } from '../../../domain/app/connectionSecrets.ts';
import { durationWritten } from '../../../domain/durationWords.ts';
import { maskSecrets } from '../../../domain/execution/maskSecrets.ts';
import { RefusedAddress } from '../../apps/guard/addressGuard.ts';
import { credentialHeader, HostNotAllowed, UnsendableInput } from '../../apps/http/outgoing.ts';
import { openConnection } from '../../connections/openConnection.ts';
import { McpAnswerTooLarge, McpBrokeOff } from '../../providers/mcpAnswers.ts';
import { McpUnclear } from '../../providers/mcpMessages.ts';
import type { McpLimits, McpSession } from '../../providers/mcpSession.ts';
import type { ActivityServices } from '../../services.ts';

const MAX_CHARACTERS = 1_000;
const RETRYABLE_STATUS: ReadonlySet<number> = new Set([408, 425, 429]);

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
    const { said, isRetryable } = await judged(error, limits.timeoutMs);
    const message = maskSecrets(`The MCP server ${name} ${said}`, secrets).slice(0, MAX_CHARACTERS);
    return { ok: false, message, isRetryable };
  }
}

async function judged(error: unknown, timeoutMs: number): Promise<{ said: string; isRetryable: boolean }> {
  const cause = causeOf(error);
  const final = (said: string) => ({ said, isRetryable: false });
  const passing = (said: string) => ({ said, isRetryable: true });
  const own = ownReason(cause);
  if (own !== undefined) return final(own);
  if (cause instanceof McpBrokeOff) return passing('ended its answer in the middle');
  const { StreamableHTTPError } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
  const { ErrorCode, McpError } = await import('@modelcontextprotocol/sdk/types.js');
  if (cause instanceof StreamableHTTPError) {
    const status = cause.code ?? 0;
    const said = status > 0 ? `answered ${status}` : 'answered with an invalid message of the protocol';
    return status >= 500 || RETRYABLE_STATUS.has(status) ? passing(said) : final(said);
  }
  if (cause instanceof McpError) {
    if (cause.code === ErrorCode.RequestTimeout || cause.code === ErrorCode.ConnectionClosed)
      return passing(late(timeoutMs));
    return final(`rejected the call: ${cause.message}`);
  }
  if (cause instanceof Error && (cause.name === 'AbortError' || cause.name === 'TimeoutError'))
    return passing(late(timeoutMs));
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  return passing(`could not be reached (${code ?? (cause instanceof Error ? cause.name : 'no answer')})`);
}

/** For requests that we do not send and answers that we reject: a retry ends the same way. */
function ownReason(cause: unknown): string | undefined {
  if (cause instanceof RefusedAddress || cause instanceof HostNotAllowed || cause instanceof UnsendableInput)
    return `was not called: ${cause.message}`;
  if (cause instanceof McpUnclear) return `answered ${cause.message}`;
  return cause instanceof McpAnswerTooLarge ? `answered too much: ${cause.message}` : undefined;
}

function late(timeoutMs: number): string {
  return `broke off, or did not answer within ${durationWritten(timeoutMs)}`;
}

function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause;
  return cause;
}
