import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ServersResult, ServersTool } from '../../domain/agent/mcpTool.ts';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { isDeeperThan, MAX_DEPTH } from '../../domain/jsonDepth.ts';
import { bounded } from '../../engine/boundedAnswer.ts';
import { byWorkspace } from '../apps/guard/privateHosts.ts';
import { buildGuardedFetch, type FetchSettings, type GuardedFetch } from './guardedFetch.ts';
import { McpAnswerTooLarge, withFewMessages } from './mcpAnswers.ts';
import { McpUnclear } from './mcpMessages.ts';
import { tracedFetch } from './tracedFetch.ts';

/** How long to wait for the end of a session, which nobody needs. */
const FAREWELL_MS = 1_000;
/** For the answer to a greeting: the SDK checks every member and reports each that is wrong. */
const MAX_GREETING_BYTES = 262_144;
/** For one tool in a list, for the same reason. Accepted tools are far smaller (MCP_MAX_TOOL_BYTES). */
const MAX_TOOL_CHARACTERS = 1_000_000;

export interface McpAccess {
  url: string;
  workspaceId: string;
  headers: Record<string, string>;
}

export interface McpLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

export interface ServersList {
  tools: ServersTool[];
  /** The number of tools that violate the protocol. They are left out; the others are valid. */
  malformed: number;
}

export interface McpSession {
  listTools(most: number): Promise<ServersList>;
  callTool(name: string, input: JsonObject): Promise<ServersResult>;
}

/** Opens a session for the work and ends it. Throws errors of the SDK, fetch and the guard. */
export type McpSessions = <T>(
  access: McpAccess,
  limits: McpLimits,
  work: (session: McpSession) => Promise<T>,
) => Promise<T>;

export function buildMcpSessions(settings: FetchSettings): McpSessions {
  const { maxAnswerBytes } = settings;
  const fetchOf = byWorkspace(settings, 'mcp', (guard) =>
    withoutListening(
      tracedFetch(buildGuardedFetch({ ...guard, maxAnswerBytes }, (maxBytes) => new McpAnswerTooLarge(maxBytes))),
    ),
  );
  return async ({ url, workspaceId, headers }, { timeoutMs, signal }, work) => {
    const broken = new AbortController();
    const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs), broken.signal]);
    const options = { signal: ending, timeout: timeoutMs };
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { ResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    let isGreeted = false;
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: withFewMessages(
        async (...call) => {
          const response = await fetchOf(workspaceId)(...call);
          return isGreeted ? response : bounded(response, MAX_GREETING_BYTES, (most) => new McpAnswerTooLarge(most));
        },
        (reason) => broken.abort(reason),
      ),
      requestInit: { headers },
    });
    const client = new Client({ name: 'perdure', version: '1' });
    const closed = () => void client.close();
    ending.addEventListener('abort', closed, { once: true });
    try {
      await client.connect(transport, options);
      isGreeted = true;
      return await work({
        listTools: (most) => listTools(client, most, options),
        // Without the client's own check of outputs, which would compile a stranger's schemas.
        callTool: async (name, input) =>
          resultOf(
            await client.request({ method: 'tools/call', params: { name, arguments: input } }, ResultSchema, options),
          ),
      });
    } catch (error) {
      throw broken.signal.aborted && ending.reason === broken.signal.reason ? broken.signal.reason : error;
    } finally {
      ending.removeEventListener('abort', closed);
      if (!ending.aborted) await farewell(transport);
      await client.close();
    }
  };
}

async function listTools(
  client: Client,
  most: number,
  options: { signal: AbortSignal; timeout: number },
): Promise<ServersList> {
  const { PaginatedResultSchema, ToolSchema } = await import('@modelcontextprotocol/sdk/types.js');
  const tools: ServersTool[] = [];
  let malformed = 0;
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page = await client.request({ method: 'tools/list', params }, PaginatedResultSchema, options);
    if (!Array.isArray(page.tools)) throw new McpUnclear('with an invalid list of tools');
    for (const given of page.tools.slice(0, most - tools.length - malformed)) {
      const isFit = !isDeeperThan(given, MAX_DEPTH) && JSON.stringify(given).length <= MAX_TOOL_CHARACTERS;
      const { data } = isFit ? ToolSchema.safeParse(given) : {};
      if (data) tools.push(data);
      else malformed += 1;
    }
    // A page without tools could be followed by more of them forever.
    cursor = page.tools.length === 0 ? undefined : page.nextCursor;
  } while (cursor !== undefined && tools.length + malformed < most);
  return { tools, malformed };
}

function resultOf({ content = [], structuredContent, isError }: Record<string, unknown>): ServersResult {
  const isContent = (part: unknown) =>
    isJsonObject(part) && typeof part.type === 'string' && (part.type !== 'text' || typeof part.text === 'string');
  if (!Array.isArray(content) || !content.every(isContent)) throw new McpUnclear('with an invalid result');
  if (structuredContent !== undefined && !isJsonObject(structuredContent)) {
    throw new McpUnclear('with an invalid result');
  }
  return { content, structuredContent, isError: isError === true };
}

/** A failed end of a session is not an error for the caller, because servers also expire sessions. */
async function farewell(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FAREWELL_MS);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Ignores unsolicited messages, because a session has one call. Interrupted answers are still fetched. */
function withoutListening(guardedFetch: GuardedFetch): GuardedFetch {
  return (url, init) => {
    const isListening = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
    return isListening ? Promise.resolve(new Response(null, { status: 405 })) : guardedFetch(url, init);
  };
}
