import { expect, test } from '@jest/globals';
import { ScheduleNotFoundError } from '@temporalio/client';
import { loopback } from '../setup/providers/loopback.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { tool } from '../setup/workspace/agentHome.ts';
import { action, chain, control, type Graph, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const done = action('done', 'core.set', { values: { done: true } });
const remove = (home: Home, path: string) => home.api('DELETE', `/api/${path}`);

async function post(home: Home, path: string, body: object) {
  const answer = await home.api('POST', `/api/${path}`, { body });
  if (answer.status > 299) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const agent = (home: Home, slug: string, settings: object = {}) =>
  post(home, `projects/${home.projectId}/agents/upsert`, { slug, instructions: 'Help.', model: 'm', ...settings });
const workflow = (home: Home, slug: string, graph: Partial<Graph> = {}) =>
  home.deploy({ slug, nodes: [done], ...graph } as Graph & { slug: string });
const connection = async (home: Home, name = 'Bank') =>
  (
    await post(home, 'workflow-apps/http/connections/apiKey/connect', {
      name,
      credentials: { apiKey: 'sesame-open-7431', header: 'X-Token', allowedHosts: '127.0.0.1' },
    })
  ).id as string;

async function refusedThenDeleted(home: Home, path: string, users: object[], free: () => Promise<unknown>) {
  const refused = await remove(home, path);
  expect([refused.status, refused.body.code]).toEqual([409, 'IN_USE']);
  expect(refused.body.usedBy).toEqual(users);
  expect(refused.body.usedByTotal).toBe(users.length);
  expect((await home.api('GET', `/api/${path}`)).status).toBe(200);
  await free();
  const deleted = await remove(home, path);
  expect([deleted.status, deleted.body]).toEqual([200, { id: path.split('/')[1], deleted: true }]);
  expect((await home.api('GET', `/api/${path}`)).status).toBe(404);
  expect((await remove(home, path)).status).toBe(404);
}

test('a workflow is deleted once no newest version, agent or error workflow names it, by id or by slug', async () => {
  const home = await makeHome();
  const id = await workflow(home, 'target', { nodes: [control('again', 'runWorkflow', { slug: 'target' })] });
  const other = (await post(home, 'projects', { name: 'Other' })).id;
  const elsewhere = { slug: 'target', nodes: [done], edges: [] };
  await post(home, `projects/${other}/workflows/upsert`, elsewhere);
  // In the other project the slug refers to that project's own resource.
  const byOther = { slug: 'caller', edges: [], nodes: [control('call', 'runWorkflow', { slug: 'target' })] };
  await post(home, `projects/${other}/workflows/upsert`, byOther);
  const bySlug = await workflow(home, 'a-slug', { nodes: [control('call', 'runWorkflow', { slug: 'target' })] });
  const byId = await workflow(home, 'b-id', {
    nodes: [
      control('loop', 'forEach', { items: [1] }),
      { ...control('call', 'runWorkflow', { workflowId: id.toUpperCase() }), parentId: 'loop' },
    ],
  });
  const guide = await agent(home, 'guide', { workflowIds: [id] });
  const watched = { slug: 'c-watched', nodes: [done], edges: [], onFailureWorkflowId: id };
  const { id: byFailure } = await post(home, `projects/${home.projectId}/workflows/upsert`, watched);
  const watching = await post(home, 'projects', { name: 'Watching', onFailureWorkflowId: id });
  const users = [
    { type: 'agent', id: guide.id, name: 'guide' },
    { type: 'workflow', id: bySlug, name: 'a-slug' },
    { type: 'workflow', id: byId, name: 'b-id' },
    { type: 'workflow', id: byFailure, name: 'c-watched' },
    { type: 'project', id: watching.id, name: 'Watching' },
  ];
  await refusedThenDeleted(home, `workflows/${id}`, users, async () => {
    await workflow(home, 'a-slug');
    await workflow(home, 'b-id');
    await agent(home, 'guide');
    await post(home, `projects/${home.projectId}/workflows/upsert`, { ...watched, onFailureWorkflowId: null });
    await home.api('PATCH', `/api/projects/${watching.id}`, { body: { onFailureWorkflowId: null } });
  });
});

test('an agent is deleted once no agent and no workflow asks it, with its tasks and memories', async () => {
  const home = await makeHome();
  const { id } = await agent(home, 'guide');
  await post(home, `agents/${id}/tasks`, {});
  const caller = await agent(home, 'caller', { subAgentIds: [id] });
  const asks = await workflow(home, 'asks', { nodes: [action('ask', 'agent.run', { slug: 'guide', message: 'Hi' })] });
  const users = [
    { type: 'agent', id: caller.id, name: 'caller' },
    { type: 'workflow', id: asks, name: 'asks' },
  ];
  await refusedThenDeleted(home, `agents/${id}`, users, async () => {
    await agent(home, 'caller');
    await workflow(home, 'asks');
  });
  expect(await stackDatabase().task.count({ where: { agentId: id } })).toBe(0);
});

test('a connection is deleted once no node, poll, model, tool or server of tools uses it', async () => {
  const home = await makeHome();
  const id = await connection(home);
  const fetch = action('fetch', 'http.request', { url: 'http://127.0.0.1:1/' }, { connectionId: id });
  const byNode = await workflow(home, 'a-node', { nodes: [fetch] });
  const config = {
    appId: 'http',
    triggerId: 'poll',
    everyMs: 3_600_000,
    connectionId: id,
    inputs: { url: 'http://127.0.0.1:1/' },
  };
  const catalogue = (await home.api('GET', '/api/workflow-apps')).body as {
    appId: string;
    triggers: { triggerId: string }[];
  }[];
  const triggerId = catalogue.find(({ appId }) => appId === 'http')?.triggers[0]?.triggerId ?? '';
  const byPoll = await workflow(home, 'b-poll', {
    trigger: { id: 'trigger', type: 'poll', config: { ...config, triggerId } } as never,
  });
  const byTool = await agent(home, 'by-tool', { tools: [tool('http', 'request', { connectionId: id })] });
  const users = [
    { type: 'agent', id: byTool.id, name: 'by-tool' },
    { type: 'workflow', id: byNode, name: 'a-node' },
    { type: 'workflow', id: byPoll, name: 'b-poll' },
  ];
  await refusedThenDeleted(home, `connections/${id}`, users, async () => {
    await workflow(home, 'a-node');
    await workflow(home, 'b-poll');
    await agent(home, 'by-tool');
  });
});

test('an entity type is deleted once it has no entities, and nothing refers to it', async () => {
  const home = await makeHome();
  const type = (slug: string, properties: object = {}) =>
    post(home, 'object-types/upsert', { slug, attributeSchema: { type: 'object', properties } });
  const { id } = await type('person');
  const order = await type('order', { buyer: { type: 'string', 'x-objectType': 'person' } });
  const objects: { id: string }[] = [];
  for (const name of ['Ada', 'Grace', 'Eve'])
    objects.push(await post(home, 'objects', { objectTypeSlug: 'person', name }));
  await remove(home, `objects/${objects[2]?.id}`);
  const finds = await workflow(home, 'finds', {
    nodes: [action('find', 'objects.find', { objectTypeSlug: 'person' })],
  });
  const reader = await agent(home, 'reader', { objectTypeIds: [id] });
  const users = [
    { type: 'agent', id: reader.id, name: 'reader' },
    { type: 'workflow', id: finds, name: 'finds' },
    { type: 'objectType', id: order.id, name: 'order' },
    { type: 'object', count: 2 },
  ];
  await refusedThenDeleted(home, `object-types/${id}`, users, async () => {
    await agent(home, 'reader');
    await workflow(home, 'finds');
    await remove(home, `objects/${objects[0]?.id}`);
    await remove(home, `objects/${objects[1]?.id}`);
    await remove(home, `object-types/${order.id}`);
  });
});

test('a project is deleted once it holds no workflow, agent or queue', async () => {
  const home = await makeHome();
  const { id } = await post(home, 'projects', { name: 'Old' });
  const made = await post(home, `projects/${id}/workflows/upsert`, { slug: 'w', nodes: [done], edges: [] });
  const asked = await post(home, `projects/${id}/agents/upsert`, { slug: 'a', instructions: 'Help.', model: 'm' });
  const queue = await post(home, `queues?projectId=${id}`, { name: 'Refunds' });
  await post(home, 'variables', { name: 'limit', value: 3, projectId: id });
  const users = [
    { type: 'workflow', id: made.id, name: 'w' },
    { type: 'queue', id: queue.id, name: 'Refunds' },
    { type: 'agent', id: asked.id, name: 'a' },
  ];
  await refusedThenDeleted(home, `projects/${id}`, users, async () => {
    await remove(home, `workflows/${made.id}`);
    await remove(home, `agents/${asked.id}`);
    await remove(home, `queues/${queue.id}`);
  });
});

test('open executions of a deleted workflow continue, held ones by its limit; all stay readable, with its name', async () => {
  const home = await makeHome();
  const graph = { slug: 'asks', trigger: webhook(), nodes: [question('ask'), done], edges: chain('ask', 'done') };
  const body = { ...graph, name: 'Asks', maxConcurrent: 1 };
  const { id } = await post(home, `projects/${home.projectId}/workflows/upsert`, body);
  const call = () => home.api('POST', `/api/webhooks/workflows/${id}`, { body: {} });
  const first = (await call()).headers.get('x-execution-id') ?? '';
  await home.asked(first, 'ask');
  const [second, third] = [
    (await call()).headers.get('x-execution-id') ?? '',
    (await call()).headers.get('x-execution-id') ?? '',
  ];
  expect((await remove(home, `workflows/${id}`)).status).toBe(200);
  expect((await call()).status).toBe(404);

  for (const [index, executionId] of [first, second, third].entries()) {
    await home.asked(executionId, 'ask');
    const waits = [second, third][index];
    if (waits !== undefined) {
      expect(await home.read(waits, 'held')).toMatchObject({
        held: true,
        statusMessage: 'Held: 1 of 1 executions run',
      });
    }
    await home.submit(executionId, 'ask', { answer: 'x' });
    expect((await home.ended(executionId)).status).toBe('COMPLETED');
    expect(await home.read(executionId, 'workflow', 'nodes')).toMatchObject({
      workflow: { id, name: 'Asks' },
      nodes: [{}, {}],
    });
  }
  const listed = await home.api('GET', `/api/executions?filterBy=workflowId:${id}&expansion=workflow`);
  expect(listed.body).toHaveLength(3);
  const retried = await home.api('POST', `/api/executions/${first}/retry`, { body: { fromStep: 'done' } });
  expect([retried.status, retried.body.code]).toEqual([400, 'RETRY_NOT_ALLOWED']);
});

test('a failure after the deletion still starts the error workflow', async () => {
  const home = await makeHome();
  const handler = await workflow(home, 'handler');
  const { id } = await post(home, `projects/${home.projectId}/workflows/upsert`, {
    ...{ slug: 'fails', onFailureWorkflowId: handler, edges: chain('ask', 'fail') },
    nodes: [question('ask'), action('fail', 'testing.fail', { retryable: false })],
  });
  const executionId = await home.execute(id);
  await home.asked(executionId, 'ask');
  expect((await remove(home, `workflows/${id}`)).status).toBe(200);
  await home.submit(executionId, 'ask', { answer: 'x' });
  expect((await home.ended(executionId)).status).toBe('FAILED');
  const { failureHandling } = await home.read(executionId, 'failureHandling');
  expect(failureHandling.workflow).toEqual({ id: handler, name: 'handler' });
});

test('the schedule of a deleted workflow leaves the engine', async () => {
  const home = await makeHome();
  const id = await workflow(home, 'hourly', {
    trigger: { id: 'trigger', type: 'schedule', config: { everyMs: 3_600_000 } },
  });
  const handle = (await stackTemporal()).schedule.getHandle(`schedule-${id}`);
  await handle.describe();
  expect((await remove(home, `workflows/${id}`)).status).toBe(200);
  await expect(handle.describe()).rejects.toThrow(ScheduleNotFoundError);
  expect(await stackDatabase().workflowSchedule.count({ where: { workflowId: id } })).toBe(0);
});

test('credentials of a deleted connection stay masked where an execution repeats them', async () => {
  const home = await makeHome();
  const id = await connection(home);
  const server = await loopback((request, response) =>
    response.end(JSON.stringify({ said: request.headers['x-token'] })),
  );
  const fetch = action('fetch', 'http.request', { url: server.url, responseType: 'json' }, { connectionId: id });
  const executionId = (await home.run({ nodes: [fetch] })).id;
  const said = async () => (await home.read(executionId)).output.body.said;
  expect(await said()).toBe('***');
  await stackDatabase().connection.delete({ where: { id } });
  expect(await said()).toBe('***');
});

test('a definition that is stored and a connection that is deleted at the same time never both succeed', async () => {
  const home = await makeHome();
  for (let round = 0; round < 8; round++) {
    const id = await connection(home, `c${round}`);
    const fetch = action('fetch', 'http.request', { url: 'http://127.0.0.1:1/' }, { connectionId: id });
    const body = { slug: `w${round}`, nodes: [fetch], edges: [] };
    const [stored, deleted] = await Promise.all([
      home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body }),
      remove(home, `connections/${id}`),
    ]);
    expect([[stored.status, deleted.status].join(' ')]).toEqual([expect.stringMatching(/^(200 409|400 200|409 200)$/)]);
  }
});
