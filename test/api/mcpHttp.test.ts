import { expect, test } from '@jest/globals';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { mcpClient } from '../setup/api/mcpClient.ts';
import { poll } from '../setup/jest/poll.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

const post = ({ url, apiKey }: Home, body: unknown, headers: Record<string, string> = {}) =>
  fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: { ...HEADERS, authorization: `Bearer ${apiKey}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

test('a request without a valid credential is 401 with the challenge that clients expect', async () => {
  const home = await makeHome();
  const anonymous = await fetch(new URL('/mcp', home.url), {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(PING),
  });
  expect(anonymous.status).toBe(401);
  expect(anonymous.headers.get('www-authenticate')).toContain('Bearer realm="perdure"');
  const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(anonymous.headers.get('www-authenticate') ?? '') ?? [];
  expect(new URL(metadata).pathname).toBe('/.well-known/oauth-protected-resource/mcp');
  const described = await (await fetch(new URL(new URL(metadata).pathname, home.url))).json();
  expect(described).toMatchObject({ resource: expect.stringMatching(/\/mcp$/), bearer_methods_supported: ['header'] });
  const wrong = await post(home, PING, { authorization: 'Bearer nobody' });
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
  await expect(mcpClient(home.url, 'nobody')).rejects.toThrow();
});

test('an API key and an access token are credentials, as in the API', async () => {
  const home = await makeHome();
  expect(await (await post(home, PING)).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  const { access_token } = await home.tokens();
  expect((await post(home, PING, { authorization: `Bearer ${access_token}` })).status).toBe(200);
  const byHeader = await post(home, PING, { authorization: '', 'x-api-key': home.apiKey });
  expect(byHeader.status).toBe(200);
  expect(byHeader.headers.get('x-request-id')).toMatch(/./);
});

test('pages of other origins, other methods, batches and broken messages are refused', async () => {
  const home = await makeHome();
  expect((await post(home, PING, { origin: 'https://evil.example' })).status).toBe(403);
  for (const method of ['DELETE', 'PUT', 'HEAD']) {
    const answer = await fetch(new URL('/mcp', home.url), {
      method,
      headers: { authorization: `Bearer ${home.apiKey}` },
    });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
  }
  expect((await post(home, [PING, PING])).status).toBe(400);
  expect((await post(home, '{')).status).toBe(400);
  expect(await (await post(home, { id: 1 })).json()).toMatchObject({ error: { code: -32700 } });
  expect((await post(home, PING, { accept: 'application/json' })).status).toBe(406);
  expect((await post(home, PING, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await post(home, PING, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
  expect((await post(home, { ...PING, params: { text: 'x'.repeat(1_100_000) } })).status).toBe(413);
  const unknown = await (await post(home, { ...PING, method: 'nothing/there' })).json();
  expect(unknown).toMatchObject({ error: { code: -32601 } });
});

test('a session is bound to its caller; an unknown one is 404, so that the client begins a new one', async () => {
  const [home, neighbour] = [await makeHome(), await makeHome()];
  const initialized = await post(home, INITIALIZE);
  const session = initialized.headers.get('mcp-session-id') ?? '';
  expect(session).toMatch(/^[\x21-\x7e]+$/);
  expect(await initialized.json()).toMatchObject({
    result: { protocolVersion: '2025-11-25', capabilities: { tools: {} } },
  });
  expect((await post(home, PING, { 'mcp-session-id': session })).status).toBe(200);
  expect((await post(neighbour, PING, { 'mcp-session-id': session })).status).toBe(404);
  expect((await post(home, PING, { 'mcp-session-id': `${session}x` })).status).toBe(404);
  const { access_token } = await home.tokens();
  expect((await post(home, PING, { 'mcp-session-id': access_token })).status).toBe(404);
  expect((await post(home, PING, { authorization: `Bearer ${session}` })).status).toBe(401);
});

test('a repeated request of a session starts nothing new; other arguments under its id are a conflict', async () => {
  const home = await makeHome();
  const workflowId = await home.deploy({
    slug: 'count',
    nodes: [],
    exposeAsTool: { name: 'count', description: 'x' },
  } as never);
  const session = (await post(home, INITIALIZE)).headers.get('mcp-session-id') ?? '';
  const call = async (id: unknown, input: object, headers: Record<string, string> = { 'mcp-session-id': session }) => {
    const params = { name: 'count', arguments: input };
    const answer = await post(home, { jsonrpc: '2.0', id, method: 'tools/call', params }, headers);
    return JSON.parse(/data: (.*)/.exec(await answer.text())?.[1] ?? '').result.structuredContent;
  };
  const first = await call(7, { a: 1 });
  expect(first).toMatchObject({ status: 'COMPLETED' });
  expect(await call(7, { a: 1 })).toEqual(first);
  expect(await call(7, { a: 2 })).toMatchObject({ error: { code: 'CONFLICT' } });
  expect((await call('7', { a: 1 })).executionId).not.toBe(first.executionId);
  expect((await call(7, { a: 1 }, {})).executionId).not.toBe(first.executionId);
  const { body } = await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}`);
  expect(body).toHaveLength(3);
});

test('a client learns of changed tools of its workspace, and opens no stream without a credential', async () => {
  const [home, neighbour] = [await makeHome(), await makeHome()];
  const notified: string[] = [];
  for (const each of [home, neighbour]) {
    const client = await mcpClient(each.url, each.apiKey);
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void notified.push(each.workspaceId));
  }
  const expose = (description: string) =>
    home.deploy({ slug: 'notified', nodes: [], exposeAsTool: { description } } as never);
  for (const [index, change] of [
    () => expose('one'),
    () => expose('two'),
    () => home.deploy({ slug: 'notified', nodes: [], isActive: false }),
  ].entries()) {
    await change();
    await poll(() => notified.length, { timeout: 20_000 }).toBeGreaterThan(index);
  }
  expect(new Set(notified)).toEqual(new Set([home.workspaceId]));
  const open = (headers: Record<string, string>) => fetch(new URL('/mcp', home.url), { headers });
  expect((await open({ accept: 'text/event-stream' })).status).toBe(401);
  expect((await open({ authorization: `Bearer ${home.apiKey}`, accept: 'application/json' })).status).toBe(400);
});
