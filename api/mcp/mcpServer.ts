import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '../../domain/json.ts';
import type { Caller } from '../access/caller.ts';
import type { McpSession } from '../access/token.ts';
import { PRODUCT_VERSION } from '../productVersion.ts';
import type { Services } from '../services.ts';
import { callTool } from './callTool.ts';
import { listTools } from './listTools.ts';
import type { ToolCall } from './toolCall.ts';

export interface McpConnection {
  caller: Caller;
  services: Services;
  session: McpSession | undefined;
  operate: ToolCall['operate'];
  signal: AbortSignal;
}

const INSTRUCTIONS =
  'Each tool starts a durable workflow or asks an agent. If a call is answered with a status other than COMPLETED, the work continues: get_execution waits for it, and answer_question answers the questions in pendingInput.';

/** Serves one HTTP request; all state of a session is in its token, so any process serves the next one. */
export async function connectMcpServer(
  connection: McpConnection,
  transport: WebStandardStreamableHTTPServerTransport,
): Promise<void> {
  const [{ Server }, { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  const { caller, services } = connection;
  const info = { name: 'perdure', title: 'Perdure', version: PRODUCT_VERSION };
  const server = new Server(info, { capabilities: { tools: { listChanged: true } }, instructions: INSTRUCTIONS });
  // Answers to a client that has disconnected.
  server.onerror = (error) => services.log.debug({ err: error }, 'a message to an MCP client was not sent');
  server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => {
    const after = params?.cursor === undefined ? undefined : nameOf(params.cursor);
    if (after === '') throw new McpError(ErrorCode.InvalidParams, 'The cursor is not one of this list');
    const { tools, last } = await listTools(services, caller, after);
    return { tools: tools as never[], ...(last === undefined ? {} : { nextCursor: cursorOf(last) }) };
  });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId, sendNotification }) => {
    const { name, arguments: input = {}, _meta: { progressToken } = {} } = params;
    let progress = 0;
    let said = '';
    const result = await callTool(
      {
        ...connection,
        ...{ id: requestId, input: input as JsonObject },
        ask(id, asked) {
          const message = { jsonrpc: '2.0', id, method: 'elicitation/create', params: asked };
          return transport.send(message as JSONRPCMessage, { relatedRequestId: requestId });
        },
        async progress(message) {
          if (progressToken === undefined || message === said) return;
          said = message;
          progress += 1;
          await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, message } });
        },
      },
      name,
    );
    if (!result) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return result;
  });
  await server.connect(transport as never);
}

function cursorOf(name: string): string {
  return Buffer.from(name).toString('base64url');
}

/** Empty for a text that is no cursor. */
function nameOf(cursor: string): string {
  const name = Buffer.from(cursor, 'base64url').toString();
  return /^[\w-]{1,64}$/.test(name) && cursorOf(name) === cursor ? name : '';
}
