import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { forgetOldChunks } from '../../prisma/store/turn/reconcileTurns.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { said, startMcpServer, textTool } from '../setup/providers/mcpServer.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';

const SECRET = 'mcp-secret-4711';

async function upserted(home: AgentHome, settings: object) {
  const { status, body } = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: { slug: 's', instructions: 'Help.', model: 'm', aiConnectionId: home.connectionId, ...settings },
  });
  return { status, id: body.id as string, errors: body.errors };
}

async function connected(home: AgentHome, host: string): Promise<string> {
  const { body } = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { name: 'mcp', credentials: { apiKey: SECRET, allowedHosts: [host] } },
  });
  return body.id;
}

// biome-ignore lint/suspicious/noExplicitAny: parts as the wire has them
type Loose = any;

async function send(home: AgentHome, agentId: string, taskId = randomUUID()) {
  const body = { message: userMessage('Do it', randomUUID()) };
  const { status, body: answer } = await home.api('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, { body });
  const parts: Loose[] = (answer.messages ?? []).flatMap((message: Loose) => message.parts);
  return { status, answer, taskId, part: (id: string) => parts.find(({ toolCallId }) => toolCallId === id) };
}

const call = (id: string, name: string, text = 'x') => callTools({ id, name, arguments: { text } });

test('tools of an MCP server are listed once a turn and called with the credential, which nobody reads', async () => {
  const home = await makeAgentHome();
  const server = await startMcpServer({
    tools: [textTool('echo'), textTool('data'), textTool('fails'), textTool('picture')],
    pageSize: 2,
    answer: ({ name, input, headers }) => {
      if (name === 'echo') return said(`${input.text} ${headers.authorization}`);
      if (name === 'data') return { content: [], structuredContent: { n: 7 } };
      if (name === 'picture') return { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] };
      return { isError: true, content: [{ type: 'text', text: 'No such order' }] };
    },
  });
  const connectionId = await connected(home, server.host);
  const { id } = await upserted(home, { mcpServers: [{ name: 'shop', url: server.url, connectionId }] });
  home.provider.answer(
    [
      ...call('echo', 'mcp_shop_echo', 'hello'),
      ...call('data', 'mcp_shop_data'),
      ...call('picture', 'mcp_shop_picture'),
    ],
    call('fails', 'mcp_shop_fails'),
    say('Done'),
  );
  const { status, part, taskId } = await send(home, id);
  expect(status).toBe(200);
  expect(home.provider.requests[0]?.body.tools?.map(({ function: { name } }) => name)).toEqual([
    'mcp_shop_echo',
    'mcp_shop_data',
    'mcp_shop_fails',
    'mcp_shop_picture',
  ]);
  expect(part('echo')).toMatchObject({ state: 'output-available', output: 'hello Bearer ***' });
  expect(part('data')).toMatchObject({ output: { n: 7 } });
  expect(part('picture')).toMatchObject({ output: [{ type: 'image', mimeType: 'image/png', bytes: 3 }] });
  expect(part('fails')).toMatchObject({ state: 'output-error', errorText: 'No such order' });
  expect(server.calls.every(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(true);
  // Two pages, listed once for three model calls. All sessions were closed.
  expect([server.lists, server.sessions]).toEqual([2, 0]);
  const rows = await home.database.runToolCall.findMany({ where: { run: { task: { clientId: taskId } } } });
  const seen = JSON.stringify([home.provider.requests.map(({ body }) => body), rows, await home.turn(taskId)]);
  expect(seen).not.toContain(SECRET);
});

test('policies: of the server, and by name before it; an approved call is made with the tools that the turn began with', async () => {
  const home = await makeAgentHome();
  const server = await startMcpServer({ tools: [textTool('ask'), textTool('never')], answer: () => said('yes') });
  const { id } = await upserted(home, {
    mcpServers: [{ name: 'shop', url: server.url, policy: 'approve' }],
    enabledToolPolicies: { mcp_shop_never: 'deny' },
  });
  home.provider.answer([...call('ask', 'mcp_shop_ask'), ...call('never', 'mcp_shop_never')], say('Done'));
  const { taskId, part } = await send(home, id);
  expect(part('never')).toMatchObject({ state: 'output-denied' });
  expect(server.calls).toEqual([]);
  const parts = [{ type: 'tool-approval-response', approvalId: 'approve-ask', approved: true }];
  const body = { message: { role: 'assistant', parts } };
  await home.api('POST', `/api/agents/${id}/tasks/${taskId}/message`, { body });
  expect(server.calls.map(({ name }) => name)).toEqual(['ask']);
  expect(await home.turn(taskId)).toMatchObject({ status: 'COMPLETED' });
  expect(server.lists).toBe(1);
});

test('a call is repeated only if the server declares it harmless', async () => {
  const home = await makeAgentHome();
  const server = await startMcpServer({
    tools: [textTool('read', { readOnlyHint: true }), textTool('pay')],
    answer: ({ name }) => said(name),
  });
  const { id } = await upserted(home, { mcpServers: [{ name: 'shop', url: server.url }] });
  home.provider.answer(
    [{ after: async () => void server.refuse.push(503) }, ...call('read', 'mcp_shop_read')],
    [{ after: async () => void server.refuse.push(503) }, ...call('pay', 'mcp_shop_pay')],
    say('Done'),
  );
  const { part } = await send(home, id);
  expect(part('read')).toMatchObject({ output: 'read' });
  expect(part('pay')).toMatchObject({ errorText: 'The MCP server shop answered 503' });
  expect(server.calls.map(({ name }) => name)).toEqual(['read']);
});

test('the failure of a tool is shortened, because each step sends it to the model', async () => {
  const home = await makeAgentHome();
  const text = 'no '.repeat(50_000);
  const answer = () => ({ isError: true, content: [{ type: 'text', text }] });
  const server = await startMcpServer({ tools: [textTool('pay')], answer });
  const { id } = await upserted(home, { mcpServers: [{ name: 'shop', url: server.url }] });
  home.provider.answer(call('pay', 'mcp_shop_pay'), say('Sorry'));
  const { part } = await send(home, id);
  expect(part('pay').errorText).toMatch(/^no no .*more characters\)$/);
  expect(part('pay').errorText.length).toBeLessThan(4_100);
  expect(JSON.stringify(home.provider.requests[1]?.body).length).toBeLessThan(10_000);
});

test('a server that does not answer fails the turn by name, after the tries that the agent has', async () => {
  const home = await makeAgentHome();
  const server = await startMcpServer({ tools: [textTool('a')], answer: () => said('a') });
  await server.close();
  const { id } = await upserted(home, { mcpServers: [{ name: 'shop', url: server.url }], maxRetries: 1 });
  const { status, answer } = await send(home, id);
  expect([status, answer.code, answer.reason]).toEqual([502, 'TURN_FAILED', 'MCP_UNAVAILABLE']);
  expect(home.provider.requests).toEqual([]);
});

test('a result that is nested too deeply fails the call, even if a credential must be masked in it', async () => {
  const home = await makeAgentHome();
  const greeting = {
    protocolVersion: '2025-03-26',
    capabilities: { tools: {} },
    serverInfo: { name: 'x', version: '1' },
  };
  const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;
  const results: Record<string, string> = {
    initialize: JSON.stringify(greeting),
    'tools/list': JSON.stringify({ tools: [textTool('a')] }),
    'tools/call': `{"content":[],"structuredContent":{"a":${deep}}}`,
  };
  const server = await loopback(({ method, body }, response) => {
    const { id, method: asked } = method === 'POST' ? JSON.parse(body) : {};
    const result = results[asked];
    if (result === undefined) return response.writeHead(method === 'POST' ? 202 : 405).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(`{"jsonrpc":"2.0","id":${id},"result":${result}}`);
  });
  const connectionId = await connected(home, new URL(server.url).host);
  const { id } = await upserted(home, { mcpServers: [{ name: 'shop', url: server.url, connectionId }] });
  home.provider.answer(call('a', 'mcp_shop_a'), say('Sorry'));
  const { part } = await send(home, id);
  expect(part('a')).toMatchObject({
    state: 'output-error',
    errorText: 'The output is nested too deeply; at most 100 levels are allowed',
  });
  expect(server.calls.filter(({ body }) => body.includes('tools/call'))).toHaveLength(1);
});

test('stopping a turn ends the call of a tool', async () => {
  const home = await makeAgentHome();
  const server = await startMcpServer({ tools: [textTool('slow')], answer: () => new Promise(() => undefined) });
  const { id } = await upserted(home, { mcpServers: [{ name: 'shop', url: server.url }] });
  home.provider.answer(call('slow', 'mcp_shop_slow'));
  const taskId = randomUUID();
  const sent = send(home, id, taskId);
  await poll(() => server.calls.length, { timeout: 30_000, interval: 50 }).toBe(1);
  await home.api('POST', `/api/agents/${id}/tasks/${taskId}/stream-message/stop`, { body: {} });
  await sent;
  expect(await home.turn(taskId)).toMatchObject({ status: 'STOPPED' });
  expect(
    await home.database.runToolCall.findFirstOrThrow({ where: { run: { task: { clientId: taskId } } } }),
  ).toMatchObject({
    status: 'STOPPED',
  });
});

test('rejects two servers with one name, and tool names without a server', async () => {
  const home = await makeAgentHome();
  const url = 'https://mcp.example.com/';
  const { status, errors } = await upserted(home, {
    mcpServers: [
      { name: 'shop', url },
      { name: 'shop', url },
    ],
    forcedTools: ['mcp_shop_any', 'mcp_other_any'],
  });
  expect([status, errors.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ['mcpServers[1].name', 'forcedTools[1]'],
  ]);
});

test('a tool that violates the protocol is left out, and the others work; the list is deleted with the chunks', async () => {
  const home = await makeAgentHome();
  const bad = [{ name: 'bad', inputSchema: { type: 'array' } }, { inputSchema: null }] as never[];
  const server = await startMcpServer({ tools: [...bad, textTool('good')], answer: () => ({ content: [] }) });
  const { id } = await upserted(home, { mcpServers: [{ name: 'shop', url: server.url }] });
  home.provider.answer(say('Hello'));
  const place = `/api/agents/${id}/tasks/t-${id}/message`;
  const sent = await home.api('POST', place, { body: { message: userMessage('Hi') } });
  expect(sent.status).toBe(200);
  expect(home.provider.requests[0]?.body.tools?.map(({ function: { name } }) => name)).toEqual(['mcp_shop_good']);
  const { mcpTools } = await home.turn(`t-${id}`);
  expect(mcpTools).toMatchObject([{ tool: 'good' }]);
  await forgetOldChunks(home.database, 0, 1_000);
  expect(await home.turn(`t-${id}`)).toMatchObject({ mcpTools: null, forgottenAt: expect.any(Date) });
});
