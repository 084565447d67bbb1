import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { logIn, newMember } from '../setup/workspace/people.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

async function home() {
  const workspace = await makeWorkspace();
  const call = api(workspace.url, workspace.apiKey);
  const log = async (filterBy = '') => (await call('GET', `/api/audit-log?filterBy=${filterBy}`)).body;
  return { workspace, call, nobody: api(workspace.url), log };
}

test('the entry of a write has actor, operation, resource, address, outcome and request id', async () => {
  const { call, log } = await home();
  const headers = { ...fromElsewhere(), 'x-request-id': `mine-${randomUUID()}` };
  const made = await call('POST', '/api/variables', { body: { name: 'A', value: 'a secret value' }, headers });
  const me = (await call('GET', '/api/users/me')).body.apiKey;
  const entry = {
    id: expect.any(String),
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    actor: { type: 'apiKey', ...me },
    action: 'createVariable',
    resourceType: 'variable',
    resourceId: made.body.id,
    resourceName: 'A',
    outcome: 'success',
    address: headers['x-forwarded-for'],
    requestId: headers['x-request-id'],
  };
  expect(await log()).toEqual([entry]);
  await call('PUT', `/api/variables/${made.body.id}`, { body: { value: 'another secret' } });
  await call('DELETE', `/api/variables/${made.body.id}`);
  const gone = await call('DELETE', `/api/variables/${made.body.id}`);
  expect(gone.status).toBe(404);
  expect(await log()).toMatchObject([
    { action: 'deleteVariable', outcome: 'failure', resourceId: made.body.id },
    { action: 'deleteVariable', outcome: 'success' },
    { action: 'updateVariable', outcome: 'success', resourceId: made.body.id },
    { action: 'createVariable' },
  ]);
  expect(JSON.stringify(await log())).not.toContain('secret');
});

test('an entry keeps the name that its resource had, in the log of its own workspace alone', async () => {
  const { workspace, call, log } = await home();
  const post = async (path: string, body: object) => (await call('POST', path, { body })).body;
  const place = `/api/projects/${workspace.projectId}`;
  const project = await post('/api/projects', { name: 'Before' });
  const names = async (id: string) =>
    (await log(`resourceId:${id}`)).map((entry: { resourceName: string | null }) => entry.resourceName);
  expect(await names(project.id)).toEqual(['Before']);
  const foreign = await home();
  expect((await foreign.call('PATCH', `/api/projects/${project.id}`, { body: { name: 'Theirs' } })).status).toBe(404);
  expect(await foreign.log(`resourceId:${project.id}`)).toMatchObject([
    { action: 'updateProject', resourceName: null },
  ]);
  await call('PATCH', `/api/projects/${project.id}`, { body: { name: 'After' } });
  await call('DELETE', `/api/projects/${project.id}`);
  expect(await names(project.id)).toEqual(['After', 'Before', 'Before']);

  const member = await newMember(workspace, 'builder');
  const made: [path: string, id: string, name: string][] = [
    ['/api/workspace/users', member.id, member.email],
    ['/api/api-keys', (await post('/api/api-keys', { name: 'Shop', permissions: ['projects:read'] })).id, 'Shop'],
    ['/api/queues', (await post(`/api/queues?projectId=${workspace.projectId}`, { name: 'Returns' })).id, 'Returns'],
    [
      '/api/workflows',
      (await post(`${place}/workflows/upsert`, { slug: 'w', name: 'W', nodes: [], edges: [] })).id,
      'W',
    ],
    ['/api/knowledge', (await post('/api/knowledge', { name: 'Handbook' })).id, 'Handbook'],
  ];
  for (const [path, id, name] of made) {
    expect((await call('DELETE', `${path}/${id}`)).status).toBeLessThan(300);
    expect([path, await names(id)]).toEqual([path, expect.arrayContaining([name, name])]);
    expect(new Set(await names(id))).toEqual(new Set([name]));
  }
});

test('filters and pages entries of one workspace only', async () => {
  const { workspace, call, log } = await home();
  const member = await newMember(workspace, 'owner');
  for (const name of ['a', 'b', 'c']) await member.call('POST', '/api/projects', { body: { name } });
  expect(await log(`actor:${member.id},action:createProject`)).toHaveLength(3);
  const [last] = await log('resourceType:project');
  expect(await log(`resourceId:${last.resourceId}`)).toEqual([last]);
  expect(await log(`outcome:denied`)).toEqual([]);
  expect(await log(`after:${last.at},action:createProject`)).toEqual([]);
  const before = (await log(`before:${last.at}`)).map(({ id }: { id: string }) => id);
  expect(before).not.toContain(last.id);
  const first = await call('GET', '/api/audit-log?limit=2&filterBy=action:createProject');
  const next = /^<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await call('GET', next);
  expect([...first.body, ...second.body]).toEqual(await log('action:createProject'));
  expect((await call('GET', '/api/audit-log?filterBy=outcome:fine')).status).toBe(400);

  const foreign = await home();
  expect(await foreign.log(`actor:${member.id}`)).toEqual([]);
  const builder = await newMember(workspace, 'builder');
  expect((await builder.call('GET', '/api/audit-log')).status).toBe(403);
});

test('the entry of a refusal names the caller, or the claimed e-mail', async () => {
  const { workspace, nobody, log } = await home();
  const key = await keyOf(workspace, 'projects:read');
  await key.call('POST', '/api/variables', { body: { name: 'A', value: 1 } });
  await key.call('GET', '/api/audit-log');
  const actor = { type: 'apiKey', id: key.id };
  expect(await log('outcome:denied')).toMatchObject([
    { actor, action: 'listAuditLog' },
    { actor, action: 'createVariable', resourceType: 'variable', resourceId: null },
  ]);

  const { email, password } = workspace;
  const from = fromElsewhere();
  await nobody('POST', '/api/auth/login', { body: { email, password: 'wrong' }, headers: from });
  await nobody('POST', '/api/auth/login', { body: { email: `${randomUUID()}@test.local`, password }, headers: from });
  const owner = (await api(workspace.url, (await logIn(workspace, workspace)).access_token)('GET', '/api/users/me'))
    .body;
  const about = { resourceType: 'workspaceUser', resourceId: owner.id };
  expect(await log('action:login')).toMatchObject([
    { actor: { type: 'user', id: owner.id, name: owner.name }, outcome: 'success', ...about },
    { actor: null, outcome: 'denied', address: from['x-forwarded-for'], ...about },
  ]);
});

test('the entry of a new connection names it, and not the type in the path', async () => {
  const { call, log } = await home();
  const connect = (hosts: string[]) =>
    call('POST', '/api/workflow-apps/http/connections/apiKey/connect', {
      body: { credentials: { apiKey: 'k', allowedHosts: hosts } },
    });
  const made = await connect(['api.shop.example']);
  expect((await connect([])).body.status).toBe('failed');
  expect(await log('resourceType:connection')).toMatchObject([{ resourceId: null }, { resourceId: made.body.id }]);
});

test('logs a wrong second factor, but not its login', async () => {
  const { workspace, nobody, log } = await home();
  const { email, password, workspaceId } = workspace;
  const { userId } = await stackDatabase().workspaceUser.findFirstOrThrow({ where: { workspaceId } });
  await stackDatabase().secondFactor.create({
    data: { userId, secret: new Uint8Array([1]), keyId: 'k', confirmedAt: new Date() },
  });
  const pending = await nobody('POST', '/api/auth/login', { body: { email, password }, headers: fromElsewhere() });
  expect(pending.body.requires2FA).toBe(true);
  const body = { sessionToken: pending.body.sessionToken, token: 'ABCD-EFGH-JKLM-NPQR' };
  const wrong = await nobody('POST', '/api/auth/2fa/verify-login', { body, headers: fromElsewhere() });
  expect(wrong.status).toBe(401);
  expect(await log()).toMatchObject([{ action: 'verifyLogin', outcome: 'denied', actor: null, resourceId: userId }]);
});

test('a repeated answer is not a second entry', async () => {
  const { call, log } = await home();
  const headers = { 'idempotency-key': randomUUID() };
  for (let i = 0; i < 3; i += 1) await call('POST', '/api/projects', { body: { name: 'Once' }, headers });
  expect(await log('action:createProject')).toHaveLength(1);
});

test('starts, answers to questions and messages are logged; reads, searches and leases are not', async () => {
  const { workspace, call, nobody, log } = await home();
  const workflow = await call('POST', `/api/projects/${workspace.projectId}/workflows/upsert`, {
    body: { slug: 'ask', nodes: [{ id: 'ask', type: 'input', inputs: { fields: [] } }], edges: [] },
  });
  const { executionId } = (await call('POST', `/api/executions/workflows/${workflow.body.id}/execute`, { body: {} }))
    .body;
  const submit = () => nobody('POST', `/api/webhooks/executions/${executionId}/nodes/ask/input`, { body: {} });
  let submitted = await submit();
  while (submitted.status === 404) submitted = await submit();
  expect(submitted.status).toBe(200);
  const queue = await call('POST', `/api/queues?projectId=${workspace.projectId}`, { body: { name: 'q' } });
  await call('POST', `/api/queues/${queue.body.id}/items/claim`, { body: { limit: 1, leaseMs: 1000, worker: 'w' } });
  await call('POST', '/api/workflows/validate', { body: { slug: 'x', nodes: [], edges: [] } });
  await call('GET', '/api/projects');
  expect(await log()).toMatchObject([
    { action: 'createQueue', resourceType: 'queue', resourceId: queue.body.id },
    { action: 'submitInput', resourceType: 'execution', resourceId: executionId, actor: null, outcome: 'success' },
    { action: 'executeWorkflow', resourceType: 'execution', resourceId: executionId },
    { action: 'upsertWorkflow', resourceType: 'workflow', resourceId: workflow.body.id },
  ]);
});
