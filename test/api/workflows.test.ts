import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const { url, apiKey, projectId } = await makeWorkspace();
const call = api(url, apiKey);
const greeting = { appId: 'core', actionId: 'set', inputs: { values: { greeting: 'Hello {{ trigger.name }}' } } };

function upsert(body: object) {
  return call('POST', `/api/projects/${projectId}/workflows/upsert`, { body });
}

const WEBHOOK = {
  id: 'trigger',
  type: 'webhook',
  config: { respond: 'immediately', secret: 'a secret', hmac: { secret: 'another', format: 'body' } },
};

test('steps become a graph behind a manual trigger; an equal definition changes nothing', async () => {
  const slug = `w-${randomUUID()}`;
  const first = await upsert({ slug, steps: [greeting] });
  expect(first.body).toMatchObject({
    slug,
    name: slug,
    version: 1,
    created: true,
    managedByCode: true,
    isActive: true,
  });
  const path = `/api/workflows/${first.body.id}?expansion=nodes,edges,triggerNode,updatedAt,version,triggerAndActionIds`;
  const before = await call('GET', path);
  expect(before.body).toMatchObject({
    nodes: [{ id: 'step1', type: 'action', appId: 'core', actionId: 'set' }],
    edges: [{ source: 'trigger', target: 'step1' }],
    triggerNode: { id: 'trigger', type: 'manual' },
    triggerAndActionIds: { triggerId: 'manual', actionIds: ['core.set'] },
  });
  const reordered = { inputs: greeting.inputs, actionId: 'set', appId: 'core' };
  expect((await upsert({ slug, steps: [reordered] })).body).toMatchObject({ version: 1, created: false });
  expect((await call('GET', path)).body).toEqual(before.body);
});

test('name, description and activity change without a version; a definition makes one', async () => {
  const slug = `w-${randomUUID()}`;
  const { id } = (await upsert({ slug, steps: [greeting], description: 'first' })).body;
  expect((await upsert({ slug, steps: [greeting], name: 'Named', isActive: false })).body).toMatchObject({
    id,
    name: 'Named',
    version: 1,
    isActive: false,
  });
  expect((await upsert({ slug, steps: [greeting, greeting] })).body).toMatchObject({
    name: 'Named',
    version: 2,
    isActive: false,
    created: false,
  });
  const read = await call('GET', `/api/workflows/${id}?expansion=description,version`);
  expect(read.body).toEqual({ id, name: 'Named', description: 'first', version: 2 });
});

test('twenty equal upserts at once make one workflow of one version, twenty different ones twenty versions', async () => {
  const slug = `w-${randomUUID()}`;
  const equal = await Promise.all(Array.from({ length: 20 }, () => upsert({ slug, steps: [greeting] })));
  expect(new Set(equal.map(({ body }) => `${body.id} ${body.version}`)).size).toBe(1);
  expect(equal.filter(({ body }) => body.created)).toHaveLength(1);
  const different = await Promise.all(
    Array.from({ length: 20 }, (_, index) => upsert({ slug, steps: [{ ...greeting, name: `n${index}` }] })),
  );
  const versions = different.map(({ body }) => body.version).sort((one, other) => one - other);
  expect(versions).toEqual(Array.from({ length: 20 }, (_, index) => index + 2));
});

test('a secret is never shown, and its mask never stored', async () => {
  const slug = `w-${randomUUID()}`;
  const { id } = (await upsert({ slug, trigger: WEBHOOK, nodes: [], edges: [] })).body;
  const { triggerNode } = (await call('GET', `/api/workflows/${id}?expansion=triggerNode`)).body;
  const masked = { ...WEBHOOK.config, secret: '********', hmac: { secret: '********', format: 'body' } };
  expect(triggerNode.config).toEqual(masked);
  // Sending the masked form back keeps the secrets, so nothing has changed.
  const back = await upsert({ slug, trigger: triggerNode, nodes: [], edges: [] });
  expect(back.body).toMatchObject({ id, version: 1 });
  const hmacOnly = { ...triggerNode, config: { hmac: triggerNode.config.hmac } };
  expect((await upsert({ slug, trigger: hmacOnly, nodes: [], edges: [] })).body).toMatchObject({ version: 2 });
  for (const [place, trigger] of [
    [slug, triggerNode],
    [`w-${randomUUID()}`, hmacOnly],
  ]) {
    const refused = await upsert({ slug: place, trigger, nodes: [], edges: [] });
    expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'trigger.config' }] });
  }
});

test('all mistakes of a definition are listed, and nothing is stored', async () => {
  const slug = `w-${randomUUID()}`;
  const nodes = [
    { id: 'a', type: 'action', appId: 'core', actionId: 'nope' },
    { id: 'b', type: 'action', appId: 'core', actionId: 'transform', inputs: { value: '{{ 1 + }}' } },
  ];
  const { status, body } = await upsert({ slug, nodes, edges: [{ id: 'e', source: 'b', target: 'nowhere' }] });
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
  const places = body.errors.map((error: { path: string }) => error.path.replace(/\..*/, ''));
  expect(new Set(places)).toEqual(new Set(['nodes[0]', 'nodes[1]', 'edges[0]']));
  const list = await call('GET', '/api/workflows?limit=1000&expansion=slug');
  expect(list.body.map((workflow: { slug: string }) => workflow.slug)).not.toContain(slug);
});

test('steps together with a graph, neither of them, and an unknown connection are rejected', async () => {
  const slug = `w-${randomUUID()}`;
  expect((await upsert({ slug })).body.errors[0].path).toBe('steps');
  expect((await upsert({ slug, steps: [greeting], nodes: [] })).body.errors[0].path).toBe('nodes');
  const { body } = await upsert({ slug, steps: [{ ...greeting, connectionId: randomUUID() }] });
  expect(body.errors[0].path).toBe('steps[0].connectionId');
  expect((await upsert({ slug: 'Not A Slug', steps: [greeting] })).body.errors[0].path).toBe('slug');
});

test('a slug may have capital letters and dots, as names of releases and made-up ids do', async () => {
  const slug = `Orders.v2-${randomUUID().toUpperCase()}`;
  const { body } = await upsert({ slug, steps: [greeting] });
  expect([body.slug, body.created]).toEqual([slug, true]);
  expect((await upsert({ slug: slug.toLowerCase(), steps: [greeting] })).body.created).toBe(true);
  expect((await upsert({ slug, steps: [greeting] })).body).toMatchObject({ id: body.id, created: false });
});

test('a project of another workspace is no project', async () => {
  const other = await makeWorkspace();
  const path = `/api/projects/${projectId}/workflows/upsert`;
  const { status } = await api(other.url, other.apiKey)('POST', path, { body: { slug: 'x', steps: [greeting] } });
  expect(status).toBe(404);
});

test('lists leave out internal workflows and filter by project and by whether an agent can start them', async () => {
  const own = await makeWorkspace();
  const mine = api(own.url, own.apiKey);
  const put = (body: object) => mine('POST', `/api/projects/${own.projectId}/workflows/upsert`, { body });
  const manual = (await put({ slug: 'manual', steps: [greeting] })).body.id;
  const hook = (await put({ slug: 'hook', trigger: WEBHOOK, nodes: [], edges: [] })).body.id;
  const hidden = (await put({ slug: 'hidden', steps: [greeting], isInternal: true })).body.id;
  const ids = async (query: string) =>
    (await mine('GET', `/api/workflows?${query}`)).body.map((workflow: { id: string }) => workflow.id);
  expect(await ids('')).toEqual([hook, manual]);
  expect(await ids('includeType=internal')).toEqual([hidden, hook, manual]);
  expect(await ids('filterBy=agentCanTrigger:true')).toEqual([manual]);
  expect(await ids('filterBy=agentCanTrigger:false')).toEqual([hook]);
  expect(await ids(`filterBy=projectId:${own.projectId},agentCanTrigger:true&includeType=all`)).toEqual([manual]);
  expect(await ids(`filterBy=projectId:${randomUUID()}`)).toEqual([]);
});

test('lists find workflows by a part of their name or slug, their state and their trigger', async () => {
  const own = await makeWorkspace();
  const mine = api(own.url, own.apiKey);
  const put = async (body: object) =>
    (await mine('POST', `/api/projects/${own.projectId}/workflows/upsert`, { body })).body.id;
  const expense = await put({ slug: 'refund', name: 'Expense 100%', steps: [greeting] });
  const hook = await put({ slug: 'hook', name: 'Orders', trigger: WEBHOOK, nodes: [], edges: [], isActive: false });
  await mine('POST', `/api/workflows/${expense}/pause`);
  const ids = async (filterBy: string) =>
    (await mine('GET', `/api/workflows?filterBy=${encodeURIComponent(filterBy)}`)).body.map(
      (workflow: { id: string }) => workflow.id,
    );
  expect(await ids('name:EXPENSE')).toEqual([expense]);
  expect(await ids('name:0%')).toEqual([expense]);
  expect(await ids('name:efun')).toEqual([expense]);
  expect(await ids('name:e%s')).toEqual([]);
  expect(await ids('isActive:false')).toEqual([hook]);
  expect(await ids('isActive:true,paused:true')).toEqual([expense]);
  expect(await ids('paused:false')).toEqual([hook]);
  expect(await ids('triggerType:webhook')).toEqual([hook]);
  expect(await ids('triggerType:manual|webhook')).toEqual([expense, hook]);
});

test('notes are kept with the version, and only with nodes', async () => {
  const slug = `w-${randomUUID()}`;
  const notes = [{ id: 'n1', text: 'Ask {{ Ada }} first', x: 10, y: 20, width: 240 }];
  const nodes = [{ id: 'hello', type: 'action', ...greeting }];
  const { id } = (await upsert({ slug, nodes, edges: [], notes })).body;
  expect((await call('GET', `/api/workflows/${id}?expansion=notes`)).body).toMatchObject({ notes });
  expect((await call('GET', `/api/workflows/${id}/versions/1`)).body).toMatchObject({ notes });
  expect((await upsert({ slug, nodes, edges: [] })).body).toMatchObject({ version: 2 });
  expect((await call('GET', `/api/workflows/${id}?expansion=notes`)).body).toMatchObject({ notes: [] });
  const misplaced = await upsert({ slug, steps: [greeting], notes });
  expect(misplaced).toMatchObject({ status: 400, body: { errors: [{ path: 'notes' }] } });
  const far = await upsert({ slug, nodes, edges: [], notes: [{ ...notes[0], x: 2_000_000 }] });
  expect(far).toMatchObject({ status: 400, body: { errors: [{ path: 'notes[0].x' }] } });
});

test('every expansion of a single read answers as the contract says', async () => {
  const slug = `w-${randomUUID()}`;
  const { id } = (await upsert({ slug, steps: [greeting] })).body;
  const names =
    'createdAt,updatedAt,isActive,isInternal,timeoutMs,description,output,project,nodes,edges,triggerNode,triggerAndActionIds,pollStorage,nextScheduledExecution,orientation,slug,version,managedByCode,subWorkflowIds,agentIds,notes';
  const { body } = await call('GET', `/api/workflows/${id}?expansion=${names}`);
  expect(Object.keys(body).sort()).toEqual([...names.split(','), 'id', 'name'].sort());
});

test('subWorkflowIds are the workflows that it starts by id or slug, in loops too, and none of another workspace', async () => {
  const own = await makeWorkspace();
  const mine = api(own.url, own.apiKey);
  const put = async (slug: string, nodes: object[]) =>
    (await mine('POST', `/api/projects/${own.projectId}/workflows/upsert`, { body: { slug, nodes, edges: [] } })).body
      .id;
  const run = (id: string, inputs: object, parentId?: string) => ({ id, type: 'runWorkflow', inputs, parentId });
  const one = await put('one', []);
  const two = await put('two', []);
  await put('three', []);
  const caller = await put('caller', [
    { id: 'loop', type: 'forEach', inputs: { items: [1] } },
    run('inside', { slug: 'two' }, 'loop'),
    run('a', { workflowId: one.toUpperCase() }),
    run('again', { workflowId: one }),
    run('later', { slug: "{{ 'thr' + 'ee' }}" }),
    run('stranger', { workflowId: (await upsert({ slug: `w-${randomUUID()}`, steps: [greeting] })).body.id }),
    run('none', { slug: 'none' }),
  ]);
  const { body } = await mine('GET', `/api/workflows/${caller}?expansion=subWorkflowIds`);
  expect(body.subWorkflowIds).toEqual([one, two].sort());
});

test('agentIds are the agents that have it as a tool, and no stranger', async () => {
  const own = await makeWorkspace();
  const mine = api(own.url, own.apiKey);
  const put = (path: string, body: object) => mine('POST', `/api/projects/${own.projectId}/${path}/upsert`, { body });
  const [id, other] = [
    (await put('workflows', { slug: 'tool', steps: [greeting] })).body.id,
    (await put('workflows', { slug: 'no-tool', steps: [greeting] })).body.id,
  ];
  const agent = async (slug: string, workflowIds: string[]) =>
    (await put('agents', { slug, instructions: 'i', model: 'm', workflowIds })).body.id;
  const agents = [await agent('one', [id.toUpperCase()]), await agent('two', [other, id])];
  await agent('three', [other]);
  const read = async () => (await mine('GET', `/api/workflows/${id}?expansion=agentIds`)).body.agentIds;
  expect(await read()).toEqual([...agents].sort());
  await agent('two', []);
  expect(await read()).toEqual([agents[0]]);
});

test('the trigger of a poll is named as the catalogue names it', async () => {
  const config = { appId: 'http', triggerId: 'poll', everyMs: 3_600_000, inputs: { url: 'https://a.example/list' } };
  const { id } = (
    await upsert({
      slug: `w-${randomUUID()}`,
      isActive: false,
      trigger: { id: 'trigger', type: 'poll', config },
      nodes: [],
      edges: [],
    })
  ).body;
  const { body } = await call('GET', `/api/workflows/${id}?expansion=triggerAndActionIds`);
  expect(body.triggerAndActionIds).toEqual({ triggerId: 'http.poll', actionIds: [] });
});
