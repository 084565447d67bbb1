import { expect, test } from '@jest/globals';
import { mcpClient } from '../setup/api/mcpClient.ts';
import { gate } from '../setup/jest/gate.ts';
import { poll } from '../setup/jest/poll.ts';
import { say } from '../setup/providers/modelScript.ts';
import { makeAgentHome } from '../setup/workspace/agentHome.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a tool's result
type Loose = any;

const exposeAsTool = { name: 'ask_ada', description: 'Knows everything' };

test('an agent is a tool that takes a message; each call is a task of the caller', async () => {
  const home = await makeAgentHome({ exposeAsTool });
  const { key } = await keyOf(home, 'agents:use', 'agents:read');
  const client = await mcpClient(home.url, key);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['ask_ada', 'get_execution']);
  expect(tools[0]).toMatchObject({ description: 'Knows everything', inputSchema: { required: ['message'] } });
  home.provider.answer(say('Forty-two'));
  const result: Loose = await client.callTool({ name: 'ask_ada', arguments: { message: 'What is it?' } });
  const { executionId, taskId } = result.structuredContent;
  expect(result.structuredContent).toEqual({ executionId, taskId, status: 'COMPLETED', output: 'Forty-two' });
  const parts = (await home.messages(taskId)).flatMap((message) => message.parts);
  expect(parts).toContainEqual({ type: 'text', text: 'What is it?' });
  const again = await client.callTool({ name: 'get_execution', arguments: { executionId } });
  expect(again.structuredContent).toEqual(result.structuredContent);
  expect(await client.callTool({ name: 'ask_ada', arguments: { message: '' } })).toMatchObject({ isError: true });
  expect(await client.callTool({ name: 'ask_ada', arguments: { text: 'x' } })).toMatchObject({ isError: true });
});

test('a caller with agents:use alone sees the agents of its grants and its own turns', async () => {
  const home = await makeAgentHome({ exposeAsTool });
  const { key, id } = await keyOf(home, 'agents:use');
  const client = await mcpClient(home.url, key);
  const names = async () => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names()).toEqual(['get_execution']);
  await expect(client.callTool({ name: 'ask_ada', arguments: { message: 'Hi' } })).rejects.toThrow('Unknown tool');
  await grant(home, home.agentId, { apiKeyId: id });
  expect(await names()).toEqual(['ask_ada', 'get_execution']);
  home.provider.answer(say('Hello'));
  const called: Loose = await client.callTool({ name: 'ask_ada', arguments: { message: 'Hi' } });
  expect(called.structuredContent).toMatchObject({ output: 'Hello' });
  const { executionId } = called.structuredContent;
  const { key: other } = await keyOf(home, 'agents:use');
  const stranger = await mcpClient(home.url, other);
  const read = await stranger.callTool({ name: 'get_execution', arguments: { executionId } });
  expect(read).toMatchObject({ isError: true, structuredContent: { error: { code: 'NOT_FOUND' } } });
});

test('a failed turn is a result with its code, and a cancelled call stops the turn', async () => {
  const home = await makeAgentHome({ exposeAsTool, maxRetries: 0 });
  const client = await mcpClient(home.url, home.apiKey);
  home.provider.answer([{ status: 401 }]);
  expect(await client.callTool({ name: 'ask_ada', arguments: { message: 'Hi' } })).toMatchObject({
    isError: true,
    structuredContent: { status: 'FAILED', error: { code: expect.any(String) } },
  });
  const { after, goOn } = gate();
  home.provider.answer([...say('Hel'), { after }, ...say('lo')]);
  const abort = new AbortController();
  const calling = client.callTool({ name: 'ask_ada', arguments: { message: 'Slowly' } }, undefined, {
    signal: abort.signal,
  });
  await poll(() => home.provider.requests.length, { timeout: 30_000 }).toBe(2);
  abort.abort('enough');
  await expect(calling).rejects.toThrow();
  const statuses = async () => {
    const runs = await home.database.taskRun.findMany({ where: { workspaceId: home.workspaceId } });
    return runs.map(({ status }) => status);
  };
  await poll(statuses, { timeout: 30_000 }).toContain('STOPPED');
  goOn();
});
