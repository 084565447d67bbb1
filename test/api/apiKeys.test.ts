import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { PERMISSIONS } from '../../domain/access/permission.ts';
import { fromElsewhere } from '../setup/api/fromElsewhere.ts';
import { keyOf } from '../setup/workspace/grants.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

test('a new key is shown once and works until its revocation', async () => {
  const { apiKey: key } = await makeWorkspace();
  const made = await call('POST', '/api/api-keys', { key, body: { name: 'Shop', permissions: ['projects:read'] } });
  expect(made).toMatchObject({ status: 201, body: { name: 'Shop', permissions: ['projects:read'], expiresAt: null } });
  const { id, apiKey, prefix } = made.body;
  expect(apiKey).toMatch(/^pdr_[\w-]{40}$/);
  expect(apiKey.startsWith(prefix)).toBe(true);
  expect((await call('GET', '/api/projects', { key: apiKey })).status).toBe(200);
  expect((await call('GET', '/api/variables', { key: apiKey })).status).toBe(403);

  const { body: listed } = await call('GET', '/api/api-keys', { key });
  expect(listed.map((each: { name: string }) => each.name)).toEqual(['Shop', 'First key']);
  expect(JSON.stringify(listed)).not.toContain(apiKey);

  expect((await call('DELETE', `/api/api-keys/${id}`, { key })).body).toEqual({ id, deleted: true });
  expect((await call('GET', '/api/projects', { key: apiKey })).status).toBe(401);
  expect((await call('DELETE', `/api/api-keys/${id}`, { key })).status).toBe(404);
  expect((await call('GET', '/api/api-keys', { key })).body).toHaveLength(1);
});

test('callers cannot grant permissions that they lack', async () => {
  const workspace = await makeWorkspace();
  const admin = await keyOf(workspace, 'workspace:admin', 'projects:read');
  const create = (...permissions: string[]) =>
    admin.call('POST', '/api/api-keys', { body: { name: 'k', permissions } });
  const refused = await create('projects:read', 'executions:run', 'agents:write');
  expect(refused).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  expect(refused.body.detail).toContain('executions:run, agents:write');
  expect((await create('projects:read')).status).toBe(201);
  const builder = await keyOf(workspace, ...PERMISSIONS.filter((permission) => permission !== 'workspace:admin'));
  expect((await builder.call('GET', '/api/api-keys')).status).toBe(403);
});

test('two requests with one Idempotency-Key create one key, shown again to the same caller only', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const headers = { 'idempotency-key': randomUUID() };
  const create = () =>
    call('POST', '/api/api-keys', { key, headers, body: { name: 'Once', permissions: ['projects:read'] } });
  const [first, again] = [await create(), await create()];
  expect(again.body).toEqual(first.body);
  const kept = await stackDatabase().$queryRaw<object[]>`
    SELECT * FROM idempotency_keys WHERE workspace_id = ${workspaceId}::uuid`;
  expect(JSON.stringify(kept)).not.toContain(first.body.apiKey);
  expect((await call('GET', '/api/api-keys', { key })).body).toHaveLength(2);
});

test('a rotated key has a new secret, and the previous one for a while', async () => {
  const workspace = await makeWorkspace();
  const { apiKey: key } = workspace;
  const made = await call('POST', '/api/api-keys', { key, body: { name: 'Shop', permissions: ['projects:read'] } });
  const { id, apiKey: first } = made.body;
  const works = async (secret: string) => (await call('GET', '/api/users/me', { key: secret })).body.apiKey?.id;
  const rotate = (body?: object, headers = {}) =>
    call('POST', `/api/api-keys/${id}/rotate`, { key, headers, ...(body ? { body } : {}) });

  const before = Date.now();
  const headers = { 'idempotency-key': randomUUID() };
  const rotated = await rotate({ graceMs: 60_000 }, headers);
  expect(rotated).toMatchObject({ status: 200, body: { id, name: 'Shop', permissions: ['projects:read'] } });
  expect((await rotate({ graceMs: 60_000 }, headers)).body).toEqual(rotated.body);
  const { apiKey: second, previousValidUntil } = rotated.body;
  expect(Date.parse(previousValidUntil)).toBeGreaterThanOrEqual(before + 60_000);
  expect([await works(first), await works(second)]).toEqual([id, id]);

  await stackDatabase().apiKey.update({ where: { id }, data: { previousValidUntil: new Date() } });
  expect([await works(first), await works(second)]).toEqual([undefined, id]);
  const { apiKey: third } = (await rotate()).body;
  expect([await works(first), await works(second), await works(third)]).toEqual([undefined, undefined, id]);

  await call('DELETE', `/api/api-keys/${id}`, { key });
  expect([(await rotate()).status, await works(third)]).toEqual([404, undefined]);
});

test('rejects the rotation of an expired key, or of one with more permissions than the caller', async () => {
  const workspace = await makeWorkspace();
  const admin = await keyOf(workspace, 'workspace:admin');
  const other = await keyOf(workspace, 'projects:read');
  const refused = await admin.call('POST', `/api/api-keys/${other.id}/rotate`, {});
  expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
  await stackDatabase().apiKey.update({ where: { id: other.id }, data: { expiresAt: new Date() } });
  const late = await call('POST', `/api/api-keys/${other.id}/rotate`, { key: workspace.apiKey });
  expect([late.status, late.body.code]).toEqual([409, 'CONFLICT']);
});

test.each([
  [{ permissions: ['projects:read'] }, 'name'],
  [{ name: 'k', permissions: [] }, 'permissions'],
  [{ name: 'k', permissions: ['projects:fly'] }, 'permissions[0]'],
  [{ name: 'k', permissions: ['projects:read'], expiresAt: '2020-01-01T00:00:00.000Z' }, 'expiresAt'],
])('%j: 400 at %s', async (body, path) => {
  const { apiKey: key } = await makeWorkspace();
  const answer = await call('POST', '/api/api-keys', { key, body });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ path, message: expect.any(String) }] } });
  expect((await call('GET', '/api/api-keys', { key })).body).toHaveLength(1);
});

test('people see their own sessions and end them', async () => {
  const { email, password, apiKey } = await makeWorkspace();
  const logIn = async () =>
    (await call('POST', '/api/auth/login', { body: { email, password }, headers: fromElsewhere() })).body;
  const [phone, laptop] = [await logIn(), await logIn()];
  const sessions = async () => (await call('GET', '/api/users/me/sessions', { token: laptop.access_token })).body;
  const listed = await sessions();
  expect(listed.map((each: { isCurrent: boolean }) => each.isCurrent)).toEqual([true, false]);
  const ended = await call('DELETE', `/api/users/me/sessions/${listed[1].id}`, { token: laptop.access_token });
  expect(ended.body).toEqual({ id: listed[1].id, deleted: true });
  expect((await call('GET', '/api/users/me', { token: phone.access_token })).status).toBe(401);
  const body = { refresh_token: phone.refresh_token };
  expect((await call('POST', '/api/auth/refresh-token', { body })).status).toBe(401);
  expect(await sessions()).toHaveLength(1);

  expect((await call('GET', '/api/users/me/sessions', { key: apiKey })).body).toEqual([]);
  const foreign = await makeWorkspace();
  const other = await call('POST', '/api/auth/login', {
    body: { email: foreign.email, password: foreign.password },
    headers: fromElsewhere(),
  });
  const token = other.body.access_token;
  expect((await call('DELETE', `/api/users/me/sessions/${listed[0].id}`, { token })).status).toBe(404);
  expect((await call('DELETE', `/api/users/me/sessions/${listed[0].id}`, { key: apiKey })).status).toBe(404);
  const out = await call('DELETE', `/api/users/me/sessions/${listed[0].id}`, { token: laptop.access_token });
  expect(out.status).toBe(200);
  expect((await call('GET', '/api/users/me', { token: laptop.access_token })).status).toBe(401);
});
