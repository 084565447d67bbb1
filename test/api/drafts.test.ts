import { expect, test } from '@jest/globals';
import { HIDDEN_SECRET } from '../../domain/workflow/maskTrigger.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { action, chain, control, manual, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome, statuses, stepOf } from '../setup/workspace/home.ts';

const done = action('done', 'core.set', { values: { done: true } });
const broken = action('done', 'core.set', { values: { done: '{{ 1 + }}' } });
const graph = { trigger: manual(), nodes: [done], edges: chain('done') };
const flawed = { ...graph, nodes: [broken] };

const draftOf = (workflowId: string) => `/api/workflows/${workflowId}/draft`;

async function open(home: Home, slug: string, more: object = {}): Promise<string> {
  const body = { slug, nodes: [done], edges: [], managedByCode: false, ...more };
  return (await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body })).body.id;
}

const create = (home: Home, body: object) =>
  home.api('POST', `/api/projects/${home.projectId}/workflows/drafts`, { body });
const save = (home: Home, id: string, body: object, headers: Record<string, string> = {}) =>
  home.api('PUT', draftOf(id), { body, headers });
const publish = (home: Home, id: string, headers: Record<string, string> = {}) =>
  home.api('POST', `${draftOf(id)}/publish`, { headers });
const tagged = (etag: string | null | undefined) => ({ 'If-Match': String(etag) });

test('a draft is saved with its problems, read with them, and published once it has no error', async () => {
  const home = await makeHome();
  const id = await open(home, 'drafted');
  const saved = await save(home, id, { ...flawed, name: 'Another name', maxConcurrent: 2 });
  expect(saved.status).toBe(200);
  expect(saved.body).toMatchObject({ id, slug: 'drafted', name: 'Another name', maxConcurrent: 2, baseVersion: 1 });
  expect(saved.body.problems).toMatchObject([{ severity: 'error', nodeId: 'done' }]);
  const { body: read, headers } = await home.api('GET', draftOf(id));
  expect(read).toEqual(saved.body);
  expect(read.nodes).toEqual([broken]);
  expect(headers.get('etag')).not.toBeNull();

  const expansion = '?expansion=version,hasDraft,maxConcurrent,nodes';
  const shown = async () => (await home.api('GET', `/api/workflows/${id}${expansion}`)).body;
  expect(await shown()).toMatchObject({ name: 'drafted', version: 1, hasDraft: true, maxConcurrent: null });

  const refused = await publish(home, id);
  expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(refused.body.errors).toMatchObject([{ path: saved.body.problems[0].path, nodeId: 'done' }]);

  await save(home, id, {
    ...graph,
    nodes: [done, action('more', 'core.set', { values: { more: 1 } })],
    name: 'Another name',
  });
  const published = await publish(home, id);
  expect(published.body).toEqual({
    ...{ id, name: 'Another name', slug: 'drafted', version: 2 },
    ...{ created: false, managedByCode: false, isActive: true },
  });
  expect(await shown()).toMatchObject({
    name: 'Another name',
    version: 2,
    hasDraft: false,
    nodes: [done, { id: 'more' }],
  });
  expect((await home.api('GET', draftOf(id))).status).toBe(404);
  expect((await publish(home, id)).status).toBe(404);
});

test('of two writers that read a workflow without a draft, one begins its draft', async () => {
  const home = await makeHome();
  const id = await open(home, 'untouched');
  const { headers } = await home.api('GET', `/api/workflows/${id}`);
  const read = tagged(headers.get('etag'));
  const both = await Promise.all(['First', 'Second'].map((name) => save(home, id, { ...graph, name }, read)));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 412]);
  const draft = await home.api('GET', draftOf(id));
  expect((await save(home, id, { ...graph, name: 'Third' }, tagged(draft.headers.get('etag')))).status).toBe(200);
  expect((await home.api('DELETE', draftOf(id))).status).toBe(200);
  await home.api('PATCH', `/api/workflows/${id}`, { body: { isActive: false } });
  expect((await save(home, id, graph, read)).status).toBe(412);
});

test('of two writers that read the same draft, one saves or publishes it', async () => {
  const home = await makeHome();
  const id = await open(home, 'shared');
  expect((await save(home, id, graph, { 'If-Match': '*' })).status).toBe(412);
  await save(home, id, graph);
  const { headers } = await home.api('GET', draftOf(id));
  const first = await save(home, id, { ...graph, name: 'First' }, tagged(headers.get('etag')));
  expect(first.status).toBe(200);
  for (const stale of [
    await save(home, id, { ...graph, name: 'Second' }, tagged(headers.get('etag'))),
    await publish(home, id, tagged(headers.get('etag'))),
    await home.api('DELETE', draftOf(id), { headers: tagged(headers.get('etag')) }),
  ]) {
    expect([stale.status, stale.body.code]).toEqual([412, 'PRECONDITION_FAILED']);
  }
  expect((await home.api('GET', draftOf(id))).body.name).toBe('First');
  const etag = first.headers.get('etag');
  const both = await Promise.all([publish(home, id, tagged(etag)), publish(home, id, tagged(etag))]);
  const answered = both.map(({ status }) => status).sort();
  expect(answered[0]).toBe(200);
  expect([200, 404, 412]).toContain(answered[1]);
  expect((await home.api('GET', `/api/workflows/${id}/versions`)).body).toHaveLength(2);
  expect((await home.api('GET', `/api/workflows/${id}`)).body.name).toBe('First');
});

test('drafts that are saved and published at once never bring back an older definition', async () => {
  const home = await makeHome();
  const id = await open(home, 'busy');
  const marked = (mark: number) => ({ ...graph, nodes: [action('done', 'core.set', { values: { mark } })] });
  await Promise.all(
    Array.from({ length: 8 }, async (_, mark) => {
      expect((await save(home, id, marked(mark))).status).toBe(200);
      expect([200, 404]).toContain((await publish(home, id)).status);
    }),
  );
  await save(home, id, marked(99));
  expect((await publish(home, id)).status).toBe(200);
  const { body } = await home.api('GET', `/api/workflows/${id}?expansion=nodes,hasDraft`);
  expect(body).toMatchObject({ hasDraft: false, nodes: [{ inputs: { values: { mark: 99 } } }] });
});

test('a discarded draft leaves the published version as it was', async () => {
  const home = await makeHome();
  const id = await open(home, 'kept');
  await save(home, id, flawed);
  expect((await home.api('DELETE', draftOf(id))).body).toEqual({ id, deleted: true });
  expect((await home.api('DELETE', draftOf(id))).status).toBe(404);
  const { body } = await home.api('GET', `/api/workflows/${id}?expansion=version,hasDraft,nodes`);
  expect(body).toMatchObject({ version: 1, hasDraft: false, nodes: [done] });
});

test('a workflow that code manages has no draft', async () => {
  const home = await makeHome();
  const id = await home.deploy({ slug: 'by-code', nodes: [done] });
  const refused = await save(home, id, graph);
  expect([refused.status, refused.body.code]).toEqual([409, 'MANAGED_BY_CODE']);
  const own = await open(home, 'later-by-code');
  await save(home, own, graph);
  await home.deploy({ slug: 'later-by-code', nodes: [done] });
  expect((await publish(home, own)).body.code).toBe('MANAGED_BY_CODE');
});

test('a workflow without a published version starts nowhere, and its first publication makes version 1', async () => {
  const home = await makeHome();
  const made = await create(home, { name: 'Pay it back', ...graph });
  expect([made.status, made.body.slug, made.body.baseVersion]).toEqual([201, 'pay-it-back', null]);
  const { id } = made.body;
  expect((await create(home, { name: 'Pay it back' })).body).toMatchObject({
    slug: 'pay-it-back-2',
    nodes: [],
    edges: [],
  });
  const taken = await create(home, { name: 'x', slug: 'pay-it-back' });
  expect([taken.status, taken.body.errors[0].path]).toEqual([409, 'slug']);

  const all = 'version,hasDraft,nodes,edges,triggerNode,triggerAndActionIds,isActive,output,labels,subWorkflowIds';
  const { body: shown } = await home.api('GET', `/api/workflows/${id}?expansion=${all},nextScheduledExecution,usedBy`);
  expect(shown).toMatchObject({
    version: null,
    hasDraft: true,
    triggerNode: null,
    triggerAndActionIds: null,
    nodes: [],
  });
  const { body: listed } = await home.api('GET', '/api/workflows?expansion=version,hasDraft');
  expect(listed).toContainEqual({ id, name: 'Pay it back', version: null, hasDraft: true });
  expect((await home.api('GET', `/api/workflows/${id}/versions`)).body).toEqual([]);

  const executed = await home.api('POST', `/api/executions/workflows/${id}/execute`, { body: {} });
  expect([executed.status, executed.body.code]).toEqual([409, 'NOT_PUBLISHED']);
  const tested = await home.api('POST', `/api/workflows/${id}/nodes/done/test`, { body: {} });
  expect([tested.status, tested.body.code]).toEqual([409, 'NOT_PUBLISHED']);
  const caller = { nodes: [control('call', 'runWorkflow', { workflowId: id })], edges: chain('call') };
  const called = await home.run(caller);
  expect([called.status, stepOf(called, 'call').error.code]).toEqual(['FAILED', 'NOT_PUBLISHED']);

  const published = await publish(home, id);
  expect(published.body).toMatchObject({ id, slug: 'pay-it-back', version: 1, created: false });
  expect(statuses(await home.ended(await home.execute(id)))).toEqual({ done: 'COMPLETED' });
  expect((await home.run(caller)).status).toBe('COMPLETED');
});

test('the webhook and the schedule of a draft begin with its publication', async () => {
  const home = await makeHome();
  const hooked = await create(home, { name: 'Hooked', trigger: webhook(), nodes: [done], edges: [] });
  const call = () => fetch(`${home.url}/api/webhooks/workflows/${hooked.body.id}`, { method: 'POST' });
  expect((await call()).status).toBe(404);
  await publish(home, hooked.body.id);
  expect((await call()).status).toBe(200);

  const trigger = { id: 'trigger', type: 'schedule', config: { everyMs: 3_600_000 } };
  const timed = await create(home, { name: 'Timed', trigger, nodes: [done], edges: [] });
  const next = async () =>
    (await home.api('GET', `/api/workflows/${timed.body.id}?expansion=nextScheduledExecution`)).body
      .nextScheduledExecution;
  expect(await next()).toBeNull();
  await publish(home, timed.body.id);
  expect(await next()).not.toBeNull();
});

test('an upsert or an apply of the slug publishes a workflow that was only a draft', async () => {
  const home = await makeHome();
  const { body } = await create(home, { name: 'Later' });
  const upserted = await open(home, 'later');
  expect(upserted).toBe(body.id);
  const { body: shown } = await home.api('GET', `/api/workflows/${upserted}?expansion=version,hasDraft`);
  expect(shown).toMatchObject({ version: 1, hasDraft: true });

  const second = await create(home, { name: 'Applied' });
  const exported = await home.api('GET', `/api/projects/${home.projectId}/export`);
  expect(exported.body.resources.map(({ slug }: { slug: string }) => slug)).toEqual(['later']);
  const resource = { kind: 'workflow', slug: 'applied', name: 'Applied', nodes: [done], edges: [] };
  const applied = await home.api('POST', `/api/projects/${home.projectId}/apply`, { body: { resources: [resource] } });
  expect([applied.status, applied.body.plan]).toMatchObject([200, [{ slug: 'applied', action: 'update' }]]);
  const { body: now } = await home.api('GET', `/api/workflows/${second.body.id}?expansion=version,managedByCode`);
  expect(now).toMatchObject({ version: 1, managedByCode: true });
});

test('secrets of the trigger are masked in reads, and a save with the mask keeps them', async () => {
  const home = await makeHome();
  const { body: made } = await create(home, {
    name: 'Secret',
    trigger: webhook({ secret: 'only for senders' }),
    nodes: [done],
  });
  expect(made.trigger.config.secret).toBe(HIDDEN_SECRET);
  const saved = await save(home, made.id, { trigger: made.trigger, nodes: [done], edges: [] });
  expect(saved.body.problems).toEqual([]);
  expect(JSON.stringify(saved.body)).not.toContain('only for senders');
  const checked = await home.api('POST', '/api/workflows/validate', {
    body: { projectId: home.projectId, slug: made.slug, trigger: made.trigger, nodes: [done], edges: [] },
  });
  expect(checked.body).toEqual({ valid: true, problems: [] });
  await publish(home, made.id);
  const call = (secret: string) =>
    fetch(`${home.url}/api/webhooks/workflows/${made.id}`, { method: 'POST', headers: { 'X-Webhook-Secret': secret } });
  expect((await call(HIDDEN_SECRET)).status).toBe(401);
  expect((await call('only for senders')).status).toBe(200);
});

test('drafts need the permissions of an upsert, and those of what the definition does', async () => {
  const home = await makeHome();
  const id = await open(home, 'guarded');
  await save(home, id, graph);
  const reader = (await keyOf(home, 'workflows:read')).call;
  expect((await reader('GET', draftOf(id))).status).toBe(200);
  for (const [method, path, body] of [
    ['PUT', draftOf(id), graph],
    ['DELETE', draftOf(id), undefined],
    ['POST', `${draftOf(id)}/publish`, undefined],
    ['POST', `/api/projects/${home.projectId}/workflows/drafts`, { name: 'x' }],
  ] as const) {
    expect((await reader(method, path, body ? { body } : {})).status).toBe(403);
  }
  const writer = (await keyOf(home, 'workflows:read', 'workflows:write')).call;
  const reading = { ...graph, nodes: [action('done', 'core.set', { values: { a: '{{ variables.A }}' } })] };
  const refused = await writer('PUT', draftOf(id), { body: reading });
  expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
  await home.api('POST', '/api/variables', { body: { name: 'A', value: 'a' } });
  await save(home, id, reading);
  expect((await writer('POST', `${draftOf(id)}/publish`)).status).toBe(403);
  expect((await publish(home, id)).status).toBe(200);
});

test('a draft is bounded like an upsert, keeps its slug, and is in the audit log', async () => {
  const home = await makeHome();
  const id = await open(home, 'bounded');
  const slug = await save(home, id, { ...graph, slug: 'other' });
  expect([slug.status, slug.body.errors[0].path]).toEqual([400, 'slug']);
  expect((await save(home, id, { ...graph, slug: 'bounded', managedByCode: false })).status).toBe(200);
  const managed = await save(home, id, { ...graph, managedByCode: true });
  expect([managed.status, managed.body.errors]).toMatchObject([400, [{ path: 'managedByCode' }]]);
  expect((await save(home, id, { ...graph, timeoutMs: 0 })).status).toBe(400);
  const large = { ...graph, nodes: [action('done', 'core.set', { values: { text: 'x'.repeat(12_000_000) } })] };
  expect((await save(home, id, large)).status).toBe(413);
  await publish(home, id);
  const { body: log } = await home.api('GET', `/api/audit-log?filterBy=resourceId:${id}`);
  const acts = log.map((entry: { action: string }) => entry.action);
  expect(acts).toEqual(expect.arrayContaining(['saveWorkflowDraft', 'publishWorkflowDraft']));
});
