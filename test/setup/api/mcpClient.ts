import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from '../jest/onTestFinished.ts';

export interface McpClientOptions {
  /** Shows a question to a person; without it the client cannot elicit. */
  person?: (params: ElicitRequest['params']) => ElicitResult | Promise<ElicitResult>;
  fetch?: typeof fetch;
}

/** Connects the official client with a credential. It is closed with the test. */
export async function mcpClient(url: string, credential: string, options: McpClientOptions = {}) {
  const { person, fetch: ofTest } = options;
  const capabilities = person ? { elicitation: { form: {} } } : {};
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (person) client.setRequestHandler(ElicitRequestSchema, ({ params }) => person(params));
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${credential}` } },
    ...(ofTest ? { fetch: ofTest } : {}),
  });
  onTestFinished(() => client.close());
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
}
