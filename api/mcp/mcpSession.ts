import { v7 } from 'uuid';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import { type Caller, credentialOf } from '../access/caller.ts';
import type { McpSession } from '../access/token.ts';
import type { Services } from '../services.ts';

export const SESSION_HEADER = 'mcp-session-id';

const LIFETIME_MS = 7 * 86_400_000;

/** Returns the token of a new session; `capabilities` are those of the client's `initialize`. */
export function openSession({ tokens }: Services, caller: Caller, capabilities: JsonObject): string {
  const { elicitation } = capabilities;
  // Clients before modes of elicitation send an empty object.
  const asksPerson = isJsonObject(elicitation) && (elicitation.form !== undefined || elicitation.url === undefined);
  const session = { id: v7(), workspaceId: caller.workspaceId, owner: ownerOf(caller), asksPerson };
  return tokens.signMcp(session, new Date(Date.now() + LIFETIME_MS));
}

/** Undefined for a client that keeps no session. Throws NOT_FOUND, after which clients begin a new one. */
export function sessionOf({ tokens }: Services, caller: Caller, token: string | undefined): McpSession | undefined {
  if (token === undefined) return undefined;
  const session = tokens.readMcp(token);
  if (session?.workspaceId !== caller.workspaceId || session.owner !== ownerOf(caller)) {
    throw new Problem('NOT_FOUND', 'The MCP session is unknown or has expired: begin a new one with initialize');
  }
  return session;
}

function ownerOf(caller: Caller): string {
  const { type, id } = credentialOf(caller);
  return `${type} ${id}`;
}
