import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { said, startMcpServer, textTool } from '../setup/providers/mcpServer.ts';
import { callTools, say } from '../setup/providers/modelScript.ts';
import { type AgentHome, makeAgentHome, userMessage } from '../setup/workspace/agentHome.ts';

async function upserted(home: AgentHome, settings: object) {
  const { status, body } = await home.api('POST', `/api/projects/${home.projectId}/agents/upsert`, {
    body: { slug: 'finder', instructions: 'Help.', model: 'm', aiConnectionId: home.connectionId, ...settings },
  });
  return { status, id: body.id as string, errors: body.errors };
}

const send = (home: AgentHome, agentId: string, taskId: string, message: object = userMessage('Do it', randomUUID())) =>
  home.api('POST', `/api/agents/${agentId}/tasks/${taskId}/message`, { body: { message } });

const offeredTools = (home: AgentHome, index: number) =>
  home.provider.requests[index]?.body.tools?.map(({ function: { name } }) => name).toSorted();

// biome-ignore lint/suspicious/noExplicitAny: parts as the wire has them
type Loose = any;

async function partOf(home: AgentHome, taskId: string, toolCallId: string): Promise<Loose> {
  const messages = await home.messages(taskId);
  return messages.flatMap(({ parts }) => parts as Loose[]).find((part) => part.toolCallId === toolCallId);
}

const find = (id: string, query: string, name = 'find_actions') => callTools({ id, name, arguments: { query } });

test('a discovered action is a tool from the next step on, and in the next turn', async () => {
  const home = await makeAgentHome();
  const { id } = await upserted(home, {
    dynamicActionDiscoveryEnabled: true,
    enabledToolPolicies: { testing_succeed: 'auto' },
    // The result of a search always stays in the message.
    ...{ enableToolResultOffload: true, toolResultOffloadThresholdBytes: 1024 },
  });
  home.provider.answer(
    callTools({ id: 'early', name: 'testing_succeed', arguments: { output: 1 } }),
    find('f', 'succeed'),
    callTools({ id: 'now', name: 'testing_succeed', arguments: { output: 7 } }),
    say('Seven'),
    callTools({ id: 'later', name: 'testing_succeed', arguments: { output: 8 } }),
    say('Eight'),
  );
  const taskId = randomUUID();
  expect((await send(home, id, taskId)).status).toBe(200);
  expect(offeredTools(home, 0)).toEqual(['find_actions']);
  // The tool does not exist before it is discovered.
  expect(await partOf(home, taskId, 'early')).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('testing_succeed'),
  });
  const { output } = await partOf(home, taskId, 'f');
  expect(output.tools[0]).toEqual({ name: 'testing_succeed', description: expect.stringContaining('Testing: ') });
  expect(offeredTools(home, 2)).toEqual(expect.arrayContaining(['find_actions', 'testing_succeed']));
  expect(await partOf(home, taskId, 'now')).toMatchObject({ state: 'output-available', output: 7 });
  const { body } = await home.api('GET', `/api/executions?filterBy=taskId:${taskId}&expansion=status`);
  expect(body).toMatchObject([{ status: 'COMPLETED' }]);
  expect((await send(home, id, taskId)).status).toBe(200);
  expect(await partOf(home, taskId, 'later')).toMatchObject({ state: 'output-available', output: 8 });
});

test('a found action needs approval; actions of other agents or without a connection are not found', async () => {
  const home = await makeAgentHome();
  const { id } = await upserted(home, { dynamicActionDiscoveryEnabled: true });
  home.provider.answer(
    [
      ...find('agents', 'agent run'),
      ...find('sql', 'postgres query'),
      ...find('none', 'xyzzy'),
      ...find('f', 'succeed'),
    ],
    callTools({ id: 'call', name: 'testing_succeed', arguments: { output: 7 } }),
    say('Done'),
  );
  const taskId = randomUUID();
  expect((await send(home, id, taskId)).status).toBe(200);
  const names = async (call: string) =>
    (await partOf(home, taskId, call)).output.tools.map(({ name }: { name: string }) => name);
  expect(await names('agents')).not.toContain('agent_run');
  expect((await names('sql')).filter((name: string) => name.startsWith('postgres_'))).toEqual([]);
  expect((await partOf(home, taskId, 'none')).output).toEqual({ tools: [], note: expect.any(String) });
  expect(await home.turn(taskId)).toMatchObject({ status: 'NEEDS_APPROVAL' });
  const { approval } = await partOf(home, taskId, 'call');
  const answer = {
    role: 'assistant',
    parts: [{ type: 'tool-approval-response', approvalId: approval.id, approved: true }],
  };
  expect((await send(home, id, taskId, answer)).status).toBe(200);
  expect(await partOf(home, taskId, 'call')).toMatchObject({ state: 'output-available', output: 7 });
});

test('policies may name discoverable tools; forced tools may not', async () => {
  const home = await makeAgentHome();
  const settings = { dynamicActionDiscoveryEnabled: true, enabledToolPolicies: { http_request: 'deny' } };
  expect((await upserted(home, settings)).status).toBe(200);
  expect(await upserted(home, { ...settings, forcedTools: ['http_request'] })).toMatchObject({
    status: 400,
    errors: [{ path: 'forcedTools[0]' }],
  });
  expect((await upserted(home, { ...settings, forcedTools: ['find_actions'] })).status).toBe(200);
  expect((await upserted(home, { ...settings, dynamicActionDiscoveryEnabled: false })).status).toBe(400);
});

test('tools of MCP servers are found too, and the model sees no other', async () => {
  const home = await makeAgentHome();
  const server = await startMcpServer({
    tools: [textTool('echo'), textTool('data'), textTool('other')],
    answer: ({ name, input }) => said(`${name} ${input.text}`),
  });
  const { body: connection } = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { name: 'mcp', credentials: { apiKey: 'k', allowedHosts: [server.host] } },
  });
  const { id } = await upserted(home, {
    dynamicMcpDiscoveryEnabled: true,
    mcpServers: [{ name: 'shop', url: server.url, connectionId: connection.id }],
  });
  home.provider.answer(
    find('f', 'echo', 'find_mcp_tools'),
    callTools({ id: 'call', name: 'mcp_shop_echo', arguments: { text: 'hello' } }),
    say('Done'),
  );
  const taskId = randomUUID();
  expect((await send(home, id, taskId)).status).toBe(200);
  expect(offeredTools(home, 0)).toEqual(['find_mcp_tools']);
  expect(offeredTools(home, 1)).toEqual(['find_mcp_tools', 'mcp_shop_echo']);
  expect(await partOf(home, taskId, 'call')).toMatchObject({ state: 'output-available', output: 'echo hello' });
});
