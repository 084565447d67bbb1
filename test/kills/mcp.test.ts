import { expect, test } from '@jest/globals';
import { anyPort } from '../../process/ports.ts';
import { type McpClientOptions, mcpClient } from '../setup/api/mcpClient.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { startPart } from '../setup/stack/partOfStack.ts';
import { action, question } from '../setup/workspace/graph.ts';

// biome-ignore lint/suspicious/noExplicitAny: the shape of a tool's result
type Loose = any;

const SETTINGS = {
  MCP_INLINE_MS: '2000',
  MCP_QUESTION_MS: '3000',
  MCP_MAX_EXPOSED_TOOLS: '3',
  ACCESS_TOKEN_TTL: '3s',
};
const PATIENCE = { timeout: 60_000, interval: 100 };

const { stack, home } = await ownHome({ environment: SETTINGS });

const ASK = question('ask', { submitters: 'members' });
await home.deploy({
  ...{ slug: 'slow', nodes: [action('wait', 'testing.wait', { ms: 5_000 })], output: 'done' },
  exposeAsTool: { name: 'slow', description: 'Waits' },
} as never);
await home.deploy({ slug: 'asks', nodes: [ASK], exposeAsTool: { name: 'asks', description: 'Asks' } } as never);

async function secondApi() {
  const port = await anyPort();
  const part = await startPart(stack, 'api', { ...SETTINGS, PORT: String(port) });
  onTestFinished(() => part.kill());
  return { url: `http://127.0.0.1:${port}`, kill: () => part.kill() };
}

/** A client behind a balancer: calls go to one process, all other messages to another. */
function balanced(callsAt: string, options: McpClientOptions = {}) {
  const route: typeof fetch = (input, init) => {
    const isCall = typeof init?.body === 'string' && JSON.parse(init.body).method === 'tools/call';
    return fetch(isCall ? new URL('/mcp', callsAt) : (input as URL), init);
  };
  return mcpClient(stack.url, home.apiKey, { ...options, fetch: route });
}

test('a long call is answered with its execution, which get_execution awaits', async () => {
  const client = await mcpClient(stack.url, home.apiKey);
  const called: Loose = await client.callTool({ name: 'slow', arguments: {} });
  const { executionId, status } = called.structuredContent;
  expect([called.isError, status]).toEqual([undefined, 'RUNNING']);
  let last: Loose = called;
  while (last.structuredContent.status === 'RUNNING') {
    last = await client.callTool({ name: 'get_execution', arguments: { executionId } });
  }
  expect(last.structuredContent).toEqual({ executionId, status: 'COMPLETED', output: 'done' });
});

test('two processes serve one session: answers of a person and cancels reach the call', async () => {
  const second = await secondApi();
  const answers = [{ action: 'accept', content: { answer: 'yes' } }, { action: 'decline' }] as const;
  for (const [index, status] of ['COMPLETED', 'NEEDS_INPUT'].entries()) {
    const client = await balanced(second.url, { person: () => ({ ...answers[index] }) as never });
    const result: Loose = await client.callTool({ name: 'asks', arguments: {} });
    expect(result.structuredContent).toMatchObject({ status });
    if (index === 1) expect(result.structuredContent.note).toContain('declined');
  }
  const client = await balanced(second.url);
  const abort = new AbortController();
  const said: unknown[] = [];
  const options = { signal: abort.signal, onprogress: (each: unknown) => void said.push(each) };
  const calling = client.callTool({ name: 'slow', arguments: {} }, undefined, options);
  await poll(() => JSON.stringify(said), PATIENCE).toContain('RUNNING');
  abort.abort('enough');
  await expect(calling).rejects.toThrow();
  const [{ id }] = (await home.api('GET', '/api/executions')).body;
  expect(await home.ended(id)).toMatchObject({ status: 'CANCELLED', statusMessage: 'enough' });
});

test('a person who does not answer leaves the execution waiting when the time is over', async () => {
  const client = await mcpClient(stack.url, home.apiKey, { person: () => new Promise(() => {}) });
  const result: Loose = await client.callTool({ name: 'asks', arguments: {} });
  expect(result.structuredContent).toMatchObject({ status: 'NEEDS_INPUT', pendingInput: [{ nodeId: 'ask' }] });
});

test('the API is killed during a call: the execution continues, and another process finds it in the same session', async () => {
  const second = await secondApi();
  const client = await balanced(second.url);
  const said: unknown[] = [];
  const calling = client.callTool({ name: 'slow', arguments: {} }, undefined, {
    onprogress: (each) => void said.push(each),
  });
  calling.catch(() => undefined);
  await poll(() => said.length, PATIENCE).toBeGreaterThan(0);
  await second.kill();
  await expect(
    Promise.race([calling, client.ping().then(() => Promise.reject(new Error('the session goes on')))]),
  ).rejects.toThrow();
  const [{ id: executionId }] = (await home.api('GET', '/api/executions')).body;
  const there = await balanced(stack.url);
  let found: Loose;
  do found = await there.callTool({ name: 'get_execution', arguments: { executionId } });
  while (found.structuredContent.status === 'RUNNING');
  expect(found.structuredContent).toEqual({ executionId, status: 'COMPLETED', output: 'done' });
});

test('an expired access token is 401, and a workspace has a limited number of tools', async () => {
  const { access_token } = await home.tokens();
  const client = await mcpClient(stack.url, access_token);
  const isRefused = () =>
    client.listTools().then(
      () => false,
      (error: Error) => /401|expired/.test(error.message),
    );
  await poll(isRefused, PATIENCE).toBe(true);
  const exposed = (slug: string) => ({ slug, nodes: [], edges: [], exposeAsTool: { description: 'x' } });
  const statuses: number[] = [];
  for (const slug of ['third', 'fourth']) {
    const { status } = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, {
      body: exposed(slug),
    });
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 400]);
});
