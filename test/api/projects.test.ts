import { expect, test } from '@jest/globals';
import { keyOf } from '../setup/workspace/grants.ts';
import { action } from '../setup/workspace/graph.ts';
import { makeHome } from '../setup/workspace/home.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

test('a project is created, read and listed, the newest first', async () => {
  const { apiKey: key, projectId: first } = await makeWorkspace();
  const created = await call('POST', '/api/projects?expansion=description,createdAt', {
    key,
    body: { name: 'Shop', description: 'Orders' },
  });
  expect(created).toMatchObject({ status: 201, body: { name: 'Shop', description: 'Orders' } });
  expect(created.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { id } = created.body;
  expect((await call('GET', `/api/projects/${id}`, { key })).body).toEqual({ id, name: 'Shop' });
  expect((await call('GET', '/api/projects', { key })).body.map((one: { id: string }) => one.id)).toEqual([id, first]);
  expect((await call('GET', '/api/projects?limit=1', { key })).headers.get('link')).toMatch(/cursor=.*rel="next"/);
});

test('a project names its creator, where a person made it', async () => {
  const { email, password, apiKey: key } = await makeWorkspace();
  const login = await call('POST', '/api/auth/login', { body: { email, password } });
  const path = '/api/projects?expansion=createdByWorkspaceUser,countVariables,countWorkflows,workflows';
  const byPerson = await call('POST', path, { token: login.body.access_token, body: { name: 'Mine' } });
  expect(byPerson.body).toMatchObject({
    createdByWorkspaceUser: { email },
    countVariables: 0,
    countWorkflows: 0,
    workflows: [],
  });
  const byKey = await call('POST', path, { key, body: { name: 'Ours' } });
  expect(byKey.body.createdByWorkspaceUser).toBeNull();
});

test('the same Idempotency-Key makes one project', async () => {
  const { apiKey: key } = await makeWorkspace();
  const headers = { 'idempotency-key': 'once' };
  const first = await call('POST', '/api/projects', { key, headers, body: { name: 'Shop' } });
  const again = await call('POST', '/api/projects', { key, headers, body: { name: 'Shop' } });
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await call('POST', '/api/projects', { key, headers, body: { name: 'Other' } })).status).toBe(409);
  expect((await call('GET', '/api/projects', { key })).body).toHaveLength(2);
});

test.each([
  ['no name', '/api/projects', {}],
  ['an unknown field', '/api/projects', { name: 'x', colour: 'red' }],
  ['an unknown expansion', '/api/projects?expansion=secrets', { name: 'x' }],
  ['text that cannot be stored', '/api/projects', { name: 'x\u0000' }],
])('%s is refused, and nothing is stored', async (_, path, body) => {
  const { apiKey: key } = await makeWorkspace();
  expect(await call('POST', path, { key, body })).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  expect((await call('GET', '/api/projects', { key })).body).toHaveLength(1);
});

test("another workspace's project is as one that does not exist", async () => {
  const { projectId } = await makeWorkspace();
  const { apiKey: key } = await makeWorkspace();
  const foreign = await call('GET', `/api/projects/${projectId}`, { key });
  const missing = await call('GET', '/api/projects/none', { key });
  expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', detail: missing.body.detail } });
});

test("the error workflow of a project's workflows is one of the workspace that the caller may start", async () => {
  const home = await makeHome();
  const id = await home.deploy({ nodes: [action('a', 'core.set', { values: {} })] });
  const path = `/api/projects/${home.projectId}?expansion=onFailureWorkflowId`;
  const set = (onFailureWorkflowId: string | null) => home.api('PATCH', path, { body: { onFailureWorkflowId } });
  expect((await set(id)).body).toEqual({ id: home.projectId, name: expect.any(String), onFailureWorkflowId: id });
  const other = await (await makeHome()).deploy({ nodes: [action('a', 'core.set', { values: {} })] });
  for (const wrong of [other, 'no-uuid']) {
    const refused = await set(wrong);
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'onFailureWorkflowId']);
    const created = await home.api('POST', '/api/projects', { body: { name: 'x', onFailureWorkflowId: wrong } });
    expect([created.status, created.body.errors[0].path]).toEqual([400, 'onFailureWorkflowId']);
  }
  const { call: writer } = await keyOf(home, 'projects:write');
  expect((await writer('PATCH', path, { body: { onFailureWorkflowId: id } })).status).toBe(403);
  expect((await home.api('GET', path)).body.onFailureWorkflowId).toBe(id);
  expect((await writer('PATCH', path, { body: { onFailureWorkflowId: null } })).status).toBe(200);
  expect((await home.api('GET', path)).body.onFailureWorkflowId).toBeNull();
});

test('a project gets a slug from its name, is found by it, and PATCH changes it', async () => {
  const { apiKey: key } = await makeWorkspace();
  const made = async (body: object) => call('POST', '/api/projects?expansion=slug', { key, body });
  const slugs = [(await made({ name: 'Müller Shop!' })).body.slug, (await made({ name: 'Muller shop' })).body.slug];
  expect(slugs).toEqual(['muller-shop', 'muller-shop-2']);
  expect((await made({ name: '★' })).body.slug).toBe('project');
  const { body: own } = await made({ name: 'Shop', slug: 'orders' });
  expect(own.slug).toBe('orders');
  const taken = await made({ name: 'Other', slug: 'orders' });
  expect(taken).toMatchObject({ status: 409, body: { code: 'CONFLICT', errors: [{ path: 'slug' }] } });
  const path = `/api/projects/${own.id}?expansion=slug`;
  const set = (slug: string) => call('PATCH', path, { key, body: { slug } });
  expect((await set('desk')).body.slug).toBe('desk');
  expect(await set('muller-shop')).toMatchObject({ status: 409, body: { errors: [{ path: 'slug' }] } });
  expect(await set('Two Words')).toMatchObject({ status: 400, body: { errors: [{ path: 'slug' }] } });
  const found = async (slug: string) => (await call('GET', `/api/projects?filterBy=slug:${slug}`, { key })).body;
  expect([await found('desk'), await found('orders')]).toEqual([[{ id: own.id, name: 'Shop' }], []]);
  const { apiKey: foreign } = await makeWorkspace();
  const theirs = await call('POST', '/api/projects?expansion=slug', { key: foreign, body: { name: 'Desk' } });
  expect(theirs.body.slug).toBe('desk');
});

test('projects of one name that are made at the same time get different slugs', async () => {
  const { apiKey: key } = await makeWorkspace();
  const make = () => call('POST', '/api/projects?expansion=slug', { key, body: { name: 'Same' } });
  const slugs = (await Promise.all(Array.from({ length: 6 }, make))).map(({ body }) => body.slug);
  expect(slugs.sort()).toEqual(['same', 'same-2', 'same-3', 'same-4', 'same-5', 'same-6']);
});
