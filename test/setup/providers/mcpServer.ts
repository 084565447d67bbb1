import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { ServersResult, ServersTool } from '../../../domain/agent/mcpTool.ts';
import { onTestFinished } from '../jest/onTestFinished.ts';

export interface McpCall {
  name: string;
  input: Record<string, unknown>;
  headers: IncomingHttpHeaders;
}

export interface TestMcpServer {
  url: string;
  /** Host and port, in the form of a connection's `allowedHosts`. */
  host: string;
  calls: McpCall[];
  /** Number of list requests. */
  lists: number;
  sessions: number;
  /** Statuses of the next responses, sent before the protocol handles the requests. */
  refuse: number[];
  close(): Promise<void>;
}

export interface McpScript {
  tools: ServersTool[];
  /** Tools per page; default: all. */
  pageSize?: number;
  answer(call: McpCall): ServersResult | Promise<ServersResult>;
}

/** Starts a real server of the Model Context Protocol on 127.0.0.1 with the official SDK. It ends with the test. */
export async function startMcpServer({ tools, pageSize = 1_000, answer }: McpScript): Promise<TestMcpServer> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const http = createServer(async (request, response) => {
    const status = made.refuse.shift();
    if (status !== undefined) return void response.writeHead(status).end('refused');
    const known = transports.get(String(request.headers['mcp-session-id']));
    const transport = known ?? (await greeted());
    await transport.handleRequest(request, response, await bodyOf(request));
  });

  async function greeted(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        transports.set(id, transport);
        made.sessions += 1;
      },
      onsessionclosed: (id) => {
        transports.delete(id);
        made.sessions -= 1;
      },
    });
    const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
      made.lists += 1;
      const from = Number(params?.cursor ?? 0);
      const page = tools.slice(from, from + pageSize);
      const next = from + pageSize < tools.length ? { nextCursor: String(from + pageSize) } : {};
      return { tools: page as never, ...next };
    });
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestInfo }) => {
      const headers = (requestInfo?.headers ?? {}) as IncomingHttpHeaders;
      const call = { name: params.name, input: params.arguments ?? {}, headers };
      made.calls.push(call);
      return (await answer(call)) as never;
    });
    await server.connect(transport);
    return transport;
  }

  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  const made: TestMcpServer = {
    ...{ url: `http://${host}/mcp`, host, calls: [], lists: 0, sessions: 0, refuse: [] },
    close: () =>
      new Promise<void>((done) => {
        http.close(() => done());
        http.closeAllConnections();
      }),
  };
  onTestFinished(made.close);
  return made;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  return text === '' ? undefined : JSON.parse(text);
}

export const textTool = (name: string, annotations?: ServersTool['annotations']): ServersTool => ({
  name,
  description: `The tool ${name}`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  ...(annotations ? { annotations } : {}),
});

export const said = (text: string): ServersResult => ({ content: [{ type: 'text', text }] });
