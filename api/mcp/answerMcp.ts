import { Readable } from 'node:stream';
import { isJsonObject, type JsonObject } from '../../domain/json.ts';
import { Problem } from '../../domain/problem.ts';
import { Answer, EventStream } from '../operation.ts';
import { cancelCall } from './cancelCall.ts';
import { connectMcpServer, type McpConnection } from './mcpServer.ts';
import { openSession, SESSION_HEADER } from './mcpSession.ts';
import { replyToQuestion } from './replyToQuestion.ts';

/** A POST with one JSON-RPC message. */
export async function answerMcp(
  connection: McpConnection,
  headers: Record<string, string>,
  body: unknown,
): Promise<Answer | EventStream> {
  if (!isJsonObject(body)) {
    throw new Problem('VALIDATION_FAILED', 'Expected one JSON-RPC message; batches are not supported', {
      errors: [{ path: '', message: 'expected an object' }],
    });
  }
  const { WebStandardStreamableHTTPServerTransport } = await import(
    '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
  );
  // Only calls send messages before their answer.
  const enableJsonResponse = body.method !== 'tools/call';
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse });
  await connectMcpServer(connection, transport);
  const request = new Request('http://perdure.invalid/mcp', { method: 'POST', headers });
  const response = await transport.handleRequest(request, { parsedBody: body });
  // The transport has checked the message.
  if (response.status === 202) {
    await takeMessage(connection, body);
    return new Answer(undefined, { status: 202 });
  }
  const sent = Object.fromEntries(response.headers);
  if (sent['content-type'] === 'text/event-stream' && response.body) {
    return new EventStream(Readable.fromWeb(response.body as never));
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  const session = response.status === 200 ? sessionFor(connection, body) : {};
  return new Answer(bytes, { status: response.status, headers: { ...sent, ...session } });
}

function sessionFor({ services, caller }: McpConnection, { method, params }: JsonObject): Record<string, string> {
  if (method !== 'initialize') return {};
  const { capabilities } = isJsonObject(params) ? params : {};
  return { [SESSION_HEADER]: openSession(services, caller, isJsonObject(capabilities) ? capabilities : {}) };
}

/** A notification, or the answer to a request of ours. */
async function takeMessage(connection: McpConnection, { id, method, params, result }: JsonObject): Promise<void> {
  const { session } = connection;
  if (method === undefined) return void (session && (await replyToQuestion(connection, String(id), result)));
  const { requestId, reason } = isJsonObject(params) ? params : {};
  if (method !== 'notifications/cancelled' || (typeof requestId !== 'string' && typeof requestId !== 'number')) return;
  await cancelCall(connection, requestId, typeof reason === 'string' ? reason : undefined);
}
