import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Api } from '../setup/api/client.ts';
import { api } from '../setup/api/client.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';

const BUILDER = [
  'connections:read',
  'connections:write',
  'connections:use',
  'workflows:write',
  'executions:run',
  'executions:read',
  'agents:write',
];

async function keyOf(home: Home, permissions = BUILDER): Promise<{ id: string; call: Api }> {
  const { body } = await home.api('POST', '/api/api-keys', { body: { name: randomUUID(), permissions } });
  return { id: body.id, call: api(home.url, body.apiKey) };
}

async function managed(home: Home) {
  const server = await loopback();
  const path = '/api/workflow-apps/http/connections/apiKey/connect';
  const credentials = { apiKey: 'managed-secret-5521', allowedHosts: [new URL(server.url).host] };
  const made = await home.api('POST', path, { body: { name: 'Managed', isManaged: true, credentials } });
  expect(made.body).toMatchObject({ status: 'connected' });
  const id: string = made.body.id;
  const assign = (...subjects: object[]) =>
    home.api('PUT', `/api/connections/${id}/assignments`, { body: { subjects } });
  const node = {
    id: 'call',
    type: 'action',
    appId: 'http',
    actionId: 'request',
    connectionId: id,
    inputs: { url: server.url },
  };
  const upsert = (by: Api, slug: string = randomUUID()) =>
    by('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body: { slug, nodes: [node], edges: [] } });
  const run = (by: Api, connectionId: string | undefined = id) =>
    by('POST', '/api/actions/run', {
      body: { appId: 'http', actionId: 'request', connectionId, inputs: { url: server.url } },
    });
  return { id, node, assign, upsert, run, server };
}

test('a managed connection is seen by those to whom it is assigned, and by an administrator who asks for all', async () => {
  const home = await makeHome();
  const [assigned, other] = [await keyOf(home), await keyOf(home)];
  const { id, assign } = await managed(home);
  const seen = async (by: Api, flags = '') =>
    (await by('GET', `/api/connections${flags}`)).body.map((each: { id: string }) => each.id);
  expect(await seen(home.api)).toEqual([]);
  expect(await seen(home.api, '?includeType=all')).toEqual([id]);
  expect(await seen(other.call, '?includeType=all')).toEqual([]);
  const subjects = [{ type: 'apiKey', id: assigned.id }];
  expect(await assign(...subjects)).toMatchObject({ status: 200, body: { subjects } });
  expect(await seen(assigned.call)).toEqual([id]);
  expect(await seen(other.call)).toEqual([]);
  expect((await assigned.call('GET', `/api/connections/${id}?expansion=isManaged,assignments`)).body).toMatchObject({
    isManaged: true,
    assignments: subjects,
  });
  expect((await other.call('GET', `/api/connections/${id}`)).status).toBe(404);
  await assign();
  expect((await assigned.call('GET', `/api/connections/${id}`)).status).toBe(404);
  await home.api('PATCH', `/api/connections/${id}`, { body: { isManaged: false } });
  expect(await seen(other.call)).toEqual([id]);
});

test('to everybody else it does not exist, for writes as for reads', async () => {
  const home = await makeHome();
  const [assigned, other] = [await keyOf(home), await keyOf(home)];
  const { id, assign } = await managed(home);
  await assign({ type: 'apiKey', id: assigned.id });
  const place = `/api/connections/${id}`;
  const mine = { subjects: [{ type: 'apiKey', id: other.id }] };
  const tried = [
    await other.call('PATCH', place, { body: { isManaged: false } }),
    await other.call('PATCH', place, { body: {} }),
    await other.call('PUT', `${place}/assignments`, { body: mine }),
    await other.call('POST', `${place}/test`, { body: {} }),
    await other.call('DELETE', place),
    await other.call('GET', place),
  ];
  expect(tried.map(({ status, body }) => [status, body.code])).toEqual(tried.map(() => [404, 'NOT_FOUND']));
  const read = await assigned.call('GET', `${place}?expansion=isManaged,assignments`);
  expect(read.body).toMatchObject({ isManaged: true, assignments: [{ type: 'apiKey', id: assigned.id }] });
  expect((await assigned.call('POST', `${place}/test`, { body: {} })).body).toMatchObject({ id, status: 'connected' });
  expect((await assigned.call('PATCH', place, { body: { name: 'Ours' } })).body).toMatchObject({ name: 'Ours' });
  expect((await assigned.call('DELETE', place)).status).toBe(200);
});

test('a managed one is assigned to its maker, where that is no administrator, who may hand it on', async () => {
  const home = await makeHome();
  const [maker, other] = [await keyOf(home), await keyOf(home)];
  const path = '/api/workflow-apps/http/connections/apiKey/connect';
  const connect = async (isManaged: boolean): Promise<string> => {
    const credentials = { apiKey: 'managed-secret-5521', allowedHosts: ['service.example'] };
    const { body } = await maker.call('POST', path, { body: { name: randomUUID(), isManaged, credentials } });
    return body.id;
  };
  const place = `/api/connections/${await connect(true)}`;
  const expansion = '?expansion=isManaged,assignments';
  const first = { isManaged: true, assignments: [{ type: 'apiKey', id: maker.id }] };
  expect((await maker.call('GET', place + expansion)).body).toMatchObject(first);
  expect((await other.call('GET', place)).status).toBe(404);
  const subjects = [{ type: 'apiKey', id: other.id }];
  expect((await maker.call('PUT', `${place}/assignments`, { body: { subjects } })).status).toBe(200);
  expect((await maker.call('GET', place)).status).toBe(404);
  expect((await other.call('GET', place)).status).toBe(200);
  const later = `/api/connections/${await connect(false)}`;
  const changed = await maker.call('PATCH', later + expansion, { body: { isManaged: true } });
  expect(changed.body).toMatchObject(first);
});

test('a role and a person are subjects too, and nobody else of the workspace is', async () => {
  const home = await makeHome();
  const person = await home.person();
  const { id, assign } = await managed(home);
  const list = async () => (await person('GET', '/api/connections')).body;
  expect(await list()).toEqual([]);
  await assign({ type: 'role', id: 'owner' });
  expect(await list()).toMatchObject([{ id }]);
  await assign({ type: 'role', id: 'builder' });
  expect(await list()).toEqual([]);
  const me = (await person('GET', '/api/users/me')).body;
  await assign({ type: 'user', id: me.id });
  expect(await list()).toMatchObject([{ id }]);
  expect((await assign({ type: 'role', id: 'king' })).body).toMatchObject({ errors: [{ path: 'subjects[0].id' }] });
  const stranger = await makeHome();
  const { id: foreign } = await keyOf(stranger);
  expect((await assign({ type: 'user', id: me.id }, { type: 'apiKey', id: foreign })).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path: 'subjects[1].id' }],
  });
  expect(await list()).toMatchObject([{ id }]);
});

test('it is used by those to whom it is assigned: in runs, workflows, node tests and agents', async () => {
  const home = await makeHome();
  const [assigned, other] = [await keyOf(home), await keyOf(home)];
  const { id, node, assign, upsert, run } = await managed(home);
  await assign({ type: 'apiKey', id: assigned.id });
  const refused = { status: 400, body: { code: 'VALIDATION_FAILED' } };
  expect((await run(assigned.call)).body).toMatchObject({ status: 'COMPLETED' });
  expect(await run(other.call)).toMatchObject(refused);
  const stored = await upsert(assigned.call);
  expect(stored.status).toBe(200);
  expect(await upsert(other.call)).toMatchObject({ ...refused, body: { errors: [{ path: 'nodes[0].connectionId' }] } });
  const test = (by: Api) => by('POST', `/api/workflows/${stored.body.id}/nodes/call/test`, { body: {} });
  expect((await test(assigned.call)).body).toMatchObject({ status: 'COMPLETED' });
  expect(await test(other.call)).toMatchObject(refused);
  const unsaved = { definition: { nodes: [node], edges: [] }, nodeId: 'call' };
  expect(await other.call('POST', '/api/workflows/nodes/test', { body: unsaved })).toMatchObject(refused);
  const draft = { name: 'Draft', nodes: [node], edges: [] };
  const made = await other.call('POST', `/api/projects/${home.projectId}/workflows/drafts`, { body: draft });
  expect(made.body.problems).toMatchObject([{ severity: 'error', path: 'nodes[0].connectionId' }]);
  for (const act of ['publish', 'execute']) {
    const answer = await other.call('POST', `/api/workflows/${made.body.id}/draft/${act}`);
    expect(answer).toMatchObject({ ...refused, body: { errors: [{ path: 'nodes[0].connectionId' }] } });
  }
  const agent = (by: Api, settings: object) =>
    by('POST', `/api/projects/${home.projectId}/agents/upsert`, {
      body: { slug: randomUUID(), instructions: 'i', model: 'm', ...settings },
    });
  expect((await agent(assigned.call, { connectionIds: [id] })).status).toBe(200);
  expect(await agent(other.call, { connectionIds: [id] })).toMatchObject(refused);
  const tools = [{ appId: 'http', actionId: 'request', connectionId: id, inputs: {}, policy: 'allow' }];
  expect(await agent(other.call, { tools })).toMatchObject(refused);
});

test('a bundle that names it says the same as of a connection that is not there, to those who may not see it', async () => {
  const home = await makeHome();
  const [assigned, other] = [await keyOf(home), await keyOf(home)];
  const { id, assign } = await managed(home);
  await assign({ type: 'apiKey', id: assigned.id });
  const { slug } = (await assigned.call('GET', `/api/connections/${id}?expansion=slug`)).body;
  const apply = async (by: Api, connectionId: string) => {
    const node = { id: 'call', type: 'action', appId: 'http', actionId: 'request', connectionId, inputs: { url: 'x' } };
    const agent = { instructions: 'i', model: 'm', connectionIds: [connectionId] };
    const resources = [
      { kind: 'workflow', slug: 'w', trigger: { type: 'manual' }, nodes: [node], edges: [] },
      { kind: 'agent', slug: 'a', ...agent },
    ];
    return by('POST', `/api/projects/${home.projectId}/apply`, { body: { dryRun: true, resources } });
  };
  expect((await apply(assigned.call, `@connection/${slug}`)).status).toBe(200);
  for (const [there, absent] of [
    [`@connection/${slug}`, '@connection/absent'],
    [id, randomUUID()],
  ] as const) {
    const [one, none] = [await apply(other.call, there), await apply(other.call, absent)];
    expect(one).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    if (there !== id) expect(JSON.stringify(one.body)).not.toContain(id);
    const errors = ({ body }: typeof one, named: string) =>
      JSON.stringify(body.errors).replaceAll(named.replace('@connection/', ''), 'NAME');
    expect(errors(one, there)).toBe(errors(none, absent));
  }
});

test('a stored workflow uses it for everybody who may start it, and no step takes one that it does not name', async () => {
  const home = await makeHome();
  const [assigned, other] = [await keyOf(home), await keyOf(home)];
  const { assign, upsert, server } = await managed(home);
  await assign({ type: 'apiKey', id: assigned.id });
  const { id: workflowId } = (await upsert(assigned.call)).body;
  const started = await other.call('POST', `/api/executions/workflows/${workflowId}/execute`, { body: {} });
  expect((await home.ended(started.body.executionId)).status).toBe('COMPLETED');
  expect(server.calls.map(({ headers }) => headers.authorization)).toEqual(['Bearer managed-secret-5521']);
});
