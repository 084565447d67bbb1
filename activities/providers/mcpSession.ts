import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ServersResult, ServersTool } from '../../domain/agent/mcpTool.ts';
import type { JsonObject } from '../../domain/json.ts';
import { byWorkspace } from '../apps/guard/privateHosts.ts';
import { buildGuardedFetch, type FetchSettings, type GuardedFetch } from './guardedFetch.ts';
import { tracedFetch } from './tracedFetch.ts';

/** How long the end of a session is waited for, which nobody needs. */
const FAREWELL_MS = 1_000;

export interface McpAccess {
  url: string;
  /** Whose private hosts are allowed. */
  workspaceId: string;
  /** With the credential. */
  headers: Record<string, string>;
}

export interface McpLimits {
  /** For all of it. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface ServersList {
  tools: ServersTool[];
  /** Tools that are not as the protocol has them: they are left out, and the others are good. */
  malformed: number;
}

/** A server that has been greeted. */
export interface McpSession {
  /** The first `most` of its tools. */
  listTools(most: number): Promise<ServersList>;
  callTool(name: string, input: JsonObject): Promise<ServersResult>;
}

/** Opens a session with a server, and ends it when the work is done. Throws errors of the SDK, fetch and the guard. */
export type McpSessions = <T>(
  access: McpAccess,
  limits: McpLimits,
  work: (session: McpSession) => Promise<T>,
) => Promise<T>;

/** The server sent more than MCP_MAX_ANSWER_BYTES. */
export class McpAnswerTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer of the MCP server is larger than ${maxBytes} bytes`);
  }
}

/** The list of a server is none. */
export class MalformedList extends Error {
  constructor() {
    super('The list of tools is not as the protocol has it');
  }
}

/** Sessions with servers of the Model Context Protocol, over streamable HTTP through the address guard. */
export function buildMcpSessions(settings: FetchSettings): McpSessions {
  const { maxAnswerBytes } = settings;
  const fetchOf = byWorkspace(settings, 'mcp', (guard) =>
    withoutListening(
      tracedFetch(buildGuardedFetch({ ...guard, maxAnswerBytes }, (maxBytes) => new McpAnswerTooLarge(maxBytes))),
    ),
  );
  return async ({ url, workspaceId, headers }, { timeoutMs, signal }, work) => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const options = { signal: ending, timeout: timeoutMs };
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const { CallToolResultSchema } = await import('@modelcontextprotocol/sdk/types.js');
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: fetchOf(workspaceId),
      requestInit: { headers },
    });
    const client = new Client({ name: 'perdure', version: '1' });
    const closed = () => void client.close();
    ending.addEventListener('abort', closed, { once: true });
    try {
      await client.connect(transport, options);
      return await work({
        listTools: (most) => listTools(client, most, options),
        // Without the client's own check of outputs: it would compile schemas that a stranger has written.
        callTool: (name, input) =>
          client.request({ method: 'tools/call', params: { name, arguments: input } }, CallToolResultSchema, options),
      });
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
    if (!Array.isArray(page.tools)) throw new MalformedList();
    for (const given of page.tools) {
      const { data } = ToolSchema.safeParse(given);
      if (data) tools.push(data);
      else malformed += 1;
    }
    // A page without tools might be followed by its like for ever.
    cursor = page.tools.length === 0 ? undefined : page.nextCursor;
  } while (cursor !== undefined && tools.length + malformed < most);
  return { tools, malformed };
}

/** Servers expire sessions by themselves too: a failed end of a session is not an error for the caller. */
async function farewell(transport: StreamableHTTPClientTransport): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FAREWELL_MS);
  });
  await Promise.race([transport.terminateSession().catch(() => undefined), late]);
  clearTimeout(timer);
}

/** A session is one call long, so unsolicited messages are ignored. Interrupted answers are still fetched. */
function withoutListening(guardedFetch: GuardedFetch): GuardedFetch {
  return (url, init) => {
    const isListening = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id');
    return isListening ? Promise.resolve(new Response(null, { status: 405 })) : guardedFetch(url, init);
  };
}
