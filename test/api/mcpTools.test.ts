import { expect, test } from '@jest/globals';
import type { Permission } from '../../domain/access/permission.ts';
import { mcpClient } from '../setup/api/mcpClient.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, chain, control, manual } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const tool = (name?: string) => ({ description: 'Greets', ...(name === undefined ? {} : { name }) });

const GREET = {
  slug: 'greet',
  name: 'Greet a person',
  trigger: manual(
    { key: 'name', label: 'Name', type: 'text', required: true },
    { key: 'tone', label: 'Tone', type: 'select', options: [{ value: 'warm', label: 'Warm' }] },
  ),
  nodes: [],
  output: { text: 'Hello {{ trigger.name }}' },
  exposeAsTool: tool('greet'),
};

const deploy = (home: Home, body: object) => home.deploy(body as never);

test('the tools of a workspace have the schema of their trigger, of their output, and hints of their effects', async () => {
  const home = await makeHome();
  const { slug } = (await home.api('GET', `/api/projects/${home.projectId}?expansion=slug`)).body;
  await deploy(home, GREET);
  await deploy(home, { slug: 'hidden', nodes: [] });
  const issue = action('make', 'github.createIssue', { owner: 'o', repo: 'r', title: 't' });
  await deploy(home, { slug: 'file-it', nodes: [issue], exposeAsTool: tool() });
  await deploy(home, { slug: 'off', nodes: [], isActive: false, exposeAsTool: tool() });
  const client = await mcpClient(home.url, home.apiKey);
  expect(client.getServerVersion()).toMatchObject({ name: 'perdure' });
  const { tools, nextCursor } = await client.listTools();
  expect(nextCursor).toBeUndefined();
  expect(tools.map(({ name }) => name)).toEqual(
    ['answer_question', 'get_execution', 'greet', `${slug}_file-it`].sort(),
  );
  const named = new Map(tools.map((each) => [each.name, each]));
  expect(named.get('greet')).toMatchObject({
    title: 'Greet a person',
    description: 'Greets',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string' }, tone: { type: 'string', enum: ['warm'] } },
      required: ['name'],
    },
    outputSchema: { properties: { output: { type: 'object', properties: { text: { type: 'string' } } } } },
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  });
  expect(named.get(`${slug}_file-it`)?.annotations).toMatchObject({ readOnlyHint: false });
});

test('a call starts an execution of the caller and answers with its output', async () => {
  const home = await makeHome();
  const workflowId = await deploy(home, GREET);
  const client = await mcpClient(home.url, home.apiKey);
  await client.listTools();
  const result = await client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
  const executionId = (result.structuredContent as { executionId: string }).executionId;
  expect(result).toMatchObject({
    structuredContent: { executionId, status: 'COMPLETED', output: { text: 'Hello Ada' } },
  });
  expect(JSON.parse((result.content as { text: string }[])[0]?.text ?? '')).toEqual(result.structuredContent);
  const shown = await home.read(executionId, 'startedBy', 'workflow');
  expect(shown).toMatchObject({ startedBy: { type: 'apiKey' }, workflow: { id: workflowId } });
  const log = await home.api('GET', '/api/audit-log?filterBy=action:executeWorkflow&limit=1');
  expect(log.body[0]).toMatchObject({ resourceType: 'execution', outcome: 'success', resourceId: executionId });
  const again = await client.callTool({ name: 'get_execution', arguments: { executionId } });
  expect(again.structuredContent).toEqual(result.structuredContent);
});

test('wrong arguments and failures are results that name the place', async () => {
  const home = await makeHome();
  await deploy(home, GREET);
  const nodes = [
    action('first', 'testing.succeed'),
    control('give-up', 'stop', { outcome: 'failed', message: 'No stock' }),
  ];
  await deploy(home, {
    slug: 'fails',
    nodes,
    edges: chain('trigger', 'first', 'give-up'),
    exposeAsTool: tool('fails'),
  });
  await deploy(home, {
    slug: 'breaks',
    nodes: [action('bad', 'testing.fail', {}, { name: 'The bad step' })],
    exposeAsTool: tool('breaks'),
  });
  const client = await mcpClient(home.url, home.apiKey);
  const wrong = await client.callTool({ name: 'greet', arguments: {} });
  expect(wrong).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'VALIDATION_FAILED', errors: [{ path: 'inputData.name' }] } },
  });
  expect(await client.callTool({ name: 'fails', arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: { status: 'FAILED', error: { message: expect.stringContaining('No stock') } },
  });
  expect(await client.callTool({ name: 'breaks', arguments: {} })).toMatchObject({
    isError: true,
    structuredContent: {
      status: 'FAILED',
      error: { code: expect.any(String), message: expect.any(String), step: { nodeId: 'bad', label: 'The bad step' } },
    },
  });
  await expect(client.callTool({ name: 'absent', arguments: {} })).rejects.toThrow('Unknown tool: absent');
  expect(await client.callTool({ name: 'get_execution', arguments: { executionId: 'x' } })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: 'NOT_FOUND' } },
  });
});

test('each caller sees and calls only the tools that its permissions open', async () => {
  const home = await makeHome();
  await deploy(home, GREET);
  const toolsOf = async (...permissions: Permission[]) => {
    const { key } = await keyOf(home, ...permissions);
    const client = await mcpClient(home.url, key);
    return { client, names: (await client.listTools()).tools.map(({ name }) => name) };
  };
  expect((await toolsOf('projects:read')).names).toEqual([]);
  const runner = await toolsOf('executions:run');
  expect(runner.names).toEqual(['answer_question', 'get_execution']);
  await expect(runner.client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).rejects.toThrow('Unknown tool');
  const both = await toolsOf('executions:run', 'workflows:read');
  expect(both.names).toEqual(['answer_question', 'get_execution', 'greet']);
  const called = await both.client.callTool({ name: 'greet', arguments: { name: 'Ada' } });
  const { executionId } = called.structuredContent as { executionId: string };
  const read = (client: typeof both.client) => client.callTool({ name: 'get_execution', arguments: { executionId } });
  expect(await read(both.client)).toMatchObject({ structuredContent: { output: { text: 'Hello Ada' } } });
  expect(await read(runner.client)).toMatchObject({ isError: true });
  const neighbour = await makeHome();
  const next = await mcpClient(neighbour.url, neighbour.apiKey);
  expect((await next.listTools()).tools.map(({ name }) => name)).toEqual(['answer_question', 'get_execution']);
  expect(await read(next)).toMatchObject({ isError: true, structuredContent: { error: { code: 'NOT_FOUND' } } });
});

test('lists come in pages', async () => {
  const home = await makeHome();
  const resources = Array.from({ length: 60 }, (_, index) => ({
    ...{
      kind: 'workflow',
      slug: `w${index}`,
      nodes: [],
      edges: [],
      exposeAsTool: tool(`t${String(index).padStart(2, '0')}`),
    },
  }));
  expect((await home.api('POST', `/api/projects/${home.projectId}/apply`, { body: { resources } })).status).toBe(200);
  const client = await mcpClient(home.url, home.apiKey);
  const first = await client.listTools();
  expect(first.tools).toHaveLength(50);
  const second = await client.listTools({ cursor: first.nextCursor });
  expect(second.nextCursor).toBeUndefined();
  expect(new Set([...first.tools, ...second.tools].map(({ name }) => name)).size).toBe(62);
  await expect(client.listTools({ cursor: 'n o' })).rejects.toThrow('cursor');
});

test('a secret is masked in the result as in reads', async () => {
  const home = await makeHome();
  await deploy(home, {
    ...{ slug: 'echo', nodes: [], output: { said: 'It is {{ trigger.word }}' }, exposeAsTool: tool('echo') },
    trigger: manual({ key: 'word', label: 'Word', type: 'secret', required: true }),
  });
  const client = await mcpClient(home.url, home.apiKey);
  const result = await client.callTool({ name: 'echo', arguments: { word: 'swordfish-4711' } });
  expect(JSON.stringify(result)).not.toContain('swordfish-4711');
});
