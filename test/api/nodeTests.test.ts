import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, control, edges, type Graph, manual, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const LONG = { timeout: 30_000, interval: 100 };

let home: Home;
beforeAll(async () => {
  home = await makeHome();
});

const testOf = (workflowId: string, nodeId: string, body: object = {}, signal?: AbortSignal) =>
  home.api('POST', `/api/workflows/${workflowId}/nodes/${nodeId}/test`, { body, ...(signal ? { signal } : {}) });

async function testFirst(graph: Graph, body: object = {}) {
  return testOf(await home.deploy(graph), graph.nodes[0]?.id ?? '', body);
}

async function rows(): Promise<number> {
  const [row] = await stackDatabase().$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM node_tests WHERE workspace_id = ${home.workspaceId}::uuid`;
  return row?.count ?? -1;
}

test('a node runs with its connection, the given trigger and steps, and the present variables; nothing is stored', async () => {
  const server = await loopback((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
  });
  const connect = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { credentials: { apiKey: 'the-key-of-the-connection', allowedHosts: ['127.0.0.1'] } },
  });
  await home.api('POST', '/api/variables', { body: { name: 'region', value: 'north' } });
  const slug = `w-${randomUUID()}`;
  await home.deploy({ slug, nodes: [action('call', 'core.set', { values: {} })] });
  const url = `${server.url}/{{ steps.fetch.output.path }}`;
  const inputs = { method: 'POST', url, body: { n: '{{ trigger.n + 1 }}', region: '{{ variables.region }}' } };
  const workflowId = await home.deploy({
    slug,
    isActive: false,
    nodes: [
      action('fetch', 'core.set', { values: {} }),
      action('call', 'http.request', inputs, { connectionId: connect.body.id }),
    ],
    edges: edges('fetch>call'),
  });
  const { status, body } = await testOf(workflowId, 'call', {
    trigger: { n: 1 },
    steps: { fetch: { path: 'orders' } },
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    status: 'COMPLETED',
    output: expect.objectContaining({ status: 200, body: { ok: true } }),
    durationMs: expect.any(Number),
  });
  expect(server.calls).toHaveLength(1);
  expect(server.calls[0]).toMatchObject({ url: '/orders', body: '{"n":2,"region":"north"}' });
  expect(JSON.stringify(server.calls[0])).toContain('the-key-of-the-connection');
  expect((await home.api('GET', `/api/executions?filterBy=workflowId:${workflowId}`)).body).toEqual([]);
  expect(await rows()).toBe(0);
});

test('other inputs take the place of its own, and are checked as an upsert checks them', async () => {
  const workflowId = await home.deploy({ nodes: [action('a', 'core.transform', { value: 'own' })] });
  expect((await testOf(workflowId, 'a')).body).toMatchObject({ status: 'COMPLETED', output: 'own' });
  const other = await testOf(workflowId, 'a', { inputs: { value: '{{ trigger.x }}' }, trigger: { x: [1] } });
  expect(other.body).toMatchObject({ status: 'COMPLETED', output: [1] });
  const wrong = await testOf(workflowId, 'a', { inputs: { value: '{{ 1 + }}', colour: 'red' }, steps: { nobody: 1 } });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect(wrong.body.errors.map(({ path }: { path: string }) => path).sort()).toEqual([
    'inputs.colour',
    'inputs.value',
    'steps.nobody',
  ]);
  const far = await testOf(workflowId, 'a', { inputs: { value: '{{ steps.nobody.output }}' } });
  expect(far.body.errors).toEqual([expect.objectContaining({ path: 'inputs.value', nodeId: 'a' })]);
  expect(await rows()).toBe(0);
});

test('an attempt that fails is an answer with the error of a step; there is one attempt', async () => {
  const retry = { maximumAttempts: 5, initialIntervalMs: 60_000 };
  const failed = await testFirst({ nodes: [action('bad', 'testing.fail', { message: 'no luck' }, { retry })] });
  expect(failed).toMatchObject({
    status: 200,
    body: { status: 'FAILED', output: null, error: { code: expect.any(String), message: 'no luck', attempt: 1 } },
  });
  const lacking = await testFirst({ nodes: [action('a', 'core.transform', { value: '{{ trigger.n.m }}' })] });
  expect(lacking.body).toMatchObject({ status: 'FAILED', error: { code: 'EXPRESSION_FAILED' } });
  const late = await testFirst({ nodes: [action('a', 'testing.wait', { ms: 600_000 }, { timeoutMs: 100 })] });
  expect(late.body).toMatchObject({
    status: 'FAILED',
    error: { code: 'TIMEOUT', message: 'Not finished within 100 ms' },
  });
});

test('condition, switch, respond and stop return their decision', async () => {
  const condition = { nodes: [control('if', 'condition', { condition: '{{ trigger.n > 1 }}' })] };
  expect((await testFirst(condition, { trigger: { n: 2 } })).body).toMatchObject({
    status: 'COMPLETED',
    output: { result: true },
    handle: 'true',
  });
  const cases = [{ name: 'small', when: '{{ trigger.n < 10 }}' }];
  const choose = { nodes: [control('which', 'switch', { cases })] };
  expect((await testFirst(choose, { trigger: { n: 2 } })).body).toMatchObject({
    output: { case: 'small' },
    handle: 'small',
  });
  expect((await testFirst(choose, { trigger: { n: 20 } })).body).toMatchObject({ handle: 'default' });
  const respond = { nodes: [control('answer', 'respond', { status: 201, body: '{{ trigger }}' })] };
  expect((await testFirst(respond, { trigger: { n: 2 } })).body.output).toMatchObject({ status: 201, body: { n: 2 } });
  const stop = { nodes: [control('end', 'stop', { outcome: 'failed', message: 'enough' })] };
  expect((await testFirst(stop)).body).toMatchObject({
    status: 'COMPLETED',
    output: { outcome: 'failed', message: 'enough' },
  });
});

test('the child of a loop has the loop that is given, and those around it', async () => {
  const value = ['{{ loop.item }}', '{{ loop.index }}', '{{ loops.inner.item }}', '{{ loops.outer.index }}'];
  const workflowId = await home.deploy({
    nodes: [
      control('outer', 'forEach', { items: [1] }),
      control('inner', 'forEach', { items: [1] }, { parentId: 'outer' }),
      action('a', 'core.set', { values: { value } }, { parentId: 'inner' }),
    ],
  });
  const given = { loop: { item: 'x', index: 3 }, loops: { outer: { index: 2 } } };
  expect((await testOf(workflowId, 'a', given)).body.output).toEqual({ value: ['x', 3, 'x', 2] });
  expect((await testOf(workflowId, 'a')).body).toMatchObject({
    status: 'FAILED',
    error: { code: 'EXPRESSION_FAILED' },
  });
});

test('console lines of code come with the answer', async () => {
  const code = { code: 'console.log("seen", input.n); return input.n * 2;', input: { n: '{{ trigger.n }}' } };
  const { body } = await testFirst({ nodes: [action('js', 'code.javascript', code)] }, { trigger: { n: 4 } });
  expect(body).toMatchObject({ status: 'COMPLETED', output: 8, console: [{ level: 'log', text: 'seen 4' }] });
});

const ALONE_IMPOSSIBLE: Graph['nodes'] = [
  question('n'),
  control('n', 'delay', { forMs: 1 }),
  control('n', 'forEach', { items: [] }),
  control('n', 'repeat', { times: 1 }),
  control('n', 'runWorkflow', { slug: 'x' }),
];

test.each(ALONE_IMPOSSIBLE.map((node) => [node.type, node] as const))(
  'a node of type %s is no test of its own',
  async (type, node) => {
    const nodes = [
      node,
      ...(type === 'forEach' || type === 'repeat' ? [action('a', 'core.set', { values: {} }, { parentId: 'n' })] : []),
    ];
    const { status, body } = await testFirst({ nodes });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors).toEqual([{ path: 'nodeId', nodeId: 'n', message: expect.stringContaining(`got ${type}`) }]);
  },
);

test('an unknown node is 404; a missing connection gives the error of a run', async () => {
  const workflowId = await home.deploy({ nodes: [action('a', 'core.set', { values: {} })] });
  for (const [id, nodeId] of [
    [randomUUID(), 'a'],
    ['nothing', 'a'],
    [workflowId, 'b'],
  ] as const) {
    expect(await testOf(id, nodeId)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
  const connected = await home.api('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
    body: { credentials: { apiKey: 'soon gone', allowedHosts: ['127.0.0.1'] } },
  });
  const inputs = { method: 'GET', url: 'http://127.0.0.1:1/' };
  const connectionId: string = connected.body.id;
  const calling = await home.deploy({ nodes: [action('a', 'http.request', inputs, { connectionId })] });
  await stackDatabase().$executeRaw`DELETE FROM connections WHERE id = ${connectionId}::uuid`;
  expect(await testOf(calling, 'a')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'connectionId', nodeId: 'a', message: `there is no connection ${connectionId}` }] },
  });
});

test('values of secret fields are masked in the answer', async () => {
  const secret = { key: 'token', label: 'Token', type: 'secret', required: true } as const;
  const all = {
    values: { all: ['{{ trigger.token }}', 'Bearer {{ steps.ask.output.token }}'], size: '{{ size(trigger.token) }}' },
  };
  const workflowId = await home.deploy({
    trigger: manual(secret),
    nodes: [question('ask', { fields: [secret] }), action('a', 'core.set', all)],
    edges: edges('ask>a'),
  });
  const given = { trigger: { token: 'hunter22-one' }, steps: { ask: { token: 'hunter22-two' } } };
  expect((await testOf(workflowId, 'a', given)).body.output).toEqual({ all: ['***', 'Bearer ***'], size: 12 });
});

async function inEngine({ workspaceId }: Home): Promise<{ id: string; status: string }[]> {
  const found = [];
  const query = `WorkflowType = "testNode" AND PerdureWorkspace = "${workspaceId}"`;
  const { workflow } = await stackTemporal();
  for await (const { workflowId, status } of workflow.list({ query })) {
    found.push({ id: workflowId, status: status.name });
  }
  return found;
}

const LASTING: Graph = { nodes: [action('long', 'testing.wait', { ms: 600_000 })] };

test('a caller that goes away stops the attempt, and leaves nothing behind', async () => {
  home = await makeHome();
  let isCut = false;
  const silent = await loopback((_, response) => response.on('close', () => (isCut = true)));
  const workflowId = await home.deploy({ nodes: [action('long', 'http.request', { method: 'GET', url: silent.url })] });
  const caller = new AbortController();
  const answer = testOf(workflowId, 'long', {}, caller.signal).catch(() => 'gone');
  // A test may appear as running before it begins; if the caller leaves first, no attempt is made.
  await poll(() => silent.calls, LONG).toHaveLength(1);
  caller.abort();
  expect(await answer).toBe('gone');
  await poll(() => isCut, LONG).toBe(true);
  await poll(() => inEngine(home), LONG).toEqual([expect.objectContaining({ status: 'CANCELLED' })]);
  expect(await rows()).toBe(0);
});

test('a test that ends in the engine without an answer is reported as lost', async () => {
  home = await makeHome();
  const workflowId = await home.deploy(LASTING);
  const answer = testOf(workflowId, 'long');
  await poll(() => inEngine(home), LONG).toHaveLength(1);
  const [{ id } = { id: '' }] = await inEngine(home);
  await (await stackTemporal()).workflow.getHandle(id).terminate();
  expect((await answer).body).toMatchObject({ status: 'FAILED', output: null, error: { code: 'WORKER_LOST' } });
  expect(await rows()).toBe(0);
});

test('the leftovers of a dead process are swept', async () => {
  const workflowId = await home.deploy(LASTING);
  await stackDatabase().$executeRaw`
    INSERT INTO node_tests (id, workspace_id, workflow_id, version_id, node_id, request, expires_at)
    VALUES (gen_random_uuid(), ${home.workspaceId}::uuid, ${workflowId}::uuid, gen_random_uuid(), 'a', '{}',
      now() - interval '1 second')`;
  await poll(rows, LONG).toBe(0);
});
