import { expect, test } from '@jest/globals';
import { usableConnections } from '../../prisma/store/connection/usableConnections.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { stackConnections } from '../setup/stack/connectionTokens.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

const SECRET = 'sesame-open-7431';
const connect = (key: string, body: object, type = 'apiKey') =>
  call('POST', `/api/workflow-apps/http/connections/${type}/connect`, { key, body });

test('credentials are stored sealed, and the engine can open them', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const answer = await connect(key, {
    name: 'Shop',
    credentials: { apiKey: SECRET, header: 'X-Token', allowedHosts: ['shop.example', '*.shop.example'] },
  });
  const { id } = answer.body;
  expect(answer).toMatchObject({ status: 200 });
  expect(answer.body).toEqual({
    id,
    name: 'Shop',
    workflowAppId: 'http',
    connectionId: 'apiKey',
    isDefault: false,
    status: 'connected',
  });
  const row = await stackDatabase().connection.findUniqueOrThrow({ where: { id } });
  expect(Buffer.from(row.credentials).includes(SECRET)).toBe(false);
  const connections = await stackConnections();
  expect(await connections.open(workspaceId, id)).toEqual({
    workflowAppId: 'http',
    type: 'apiKey',
    credentials: { apiKey: SECRET, header: 'X-Token', allowedHosts: '["shop.example","*.shop.example"]' },
  });
  const other = await makeWorkspace();
  expect(await connections.open(other.workspaceId, id)).toBeUndefined();
  expect(await connections.open(workspaceId, 'none')).toBeUndefined();
});

test('no read returns credentials', async () => {
  const { apiKey: key } = await makeWorkspace();
  const { id } = (
    await connect(key, { credentials: { username: 'ann', password: SECRET, allowedHosts: 'a.example' } }, 'basic')
  ).body;
  const expansion = 'createdAt,updatedAt,connectionId,workflowAppId,workflowApp,workspace';
  const read = await call('GET', `/api/connections/${id}?expansion=${expansion}`, { key });
  const list = await call('GET', `/api/connections?expansion=${expansion}&filterBy=workflowAppId:http`, { key });
  expect(read.body).toMatchObject({
    name: 'User name and password',
    connectionId: 'basic',
    workflowAppId: 'http',
    workflowApp: { appId: 'http', name: 'HTTP', icon: expect.stringContaining('<svg') },
  });
  expect(list.body).toEqual([read.body]);
  expect(JSON.stringify([read.body, list.body])).not.toContain(SECRET);
  expect((await call('GET', `/api/connections/${id}?expansion=credentials`, { key })).status).toBe(400);
  expect((await call('GET', '/api/connections?filterBy=workflowAppId:core', { key })).body).toEqual([]);
});

test('an app has no default until a connection is made it, and one then', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const credentials = { apiKey: 'k', allowedHosts: 'a.example' };
  const defaults = async () =>
    (await usableConnections(stackDatabase(), workspaceId, 'http'))
      .filter((one) => one.isDefault)
      .map((one) => one.name);
  expect((await connect(key, { name: 'one', credentials })).body.isDefault).toBe(false);
  expect(await defaults()).toEqual([]);
  expect((await connect(key, { name: 'two', isDefault: true, credentials })).body.isDefault).toBe(true);
  expect(await defaults()).toEqual(['two']);
  expect((await connect(key, { name: 'three', isDefault: true, credentials })).body.isDefault).toBe(true);
  expect(await defaults()).toEqual(['three']);
  expect((await usableConnections(stackDatabase(), workspaceId, 'http')).map((one) => one.name)).toEqual([
    'three',
    'one',
    'two',
  ]);
});

test('one of many simultaneous defaults becomes the default', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const body = { isDefault: true, credentials: { apiKey: 'k', allowedHosts: 'a.example' } };
  const answers = await Promise.all(Array.from({ length: 12 }, () => connect(key, body)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  const usable = await usableConnections(stackDatabase(), workspaceId, 'http');
  expect(usable).toHaveLength(12);
  expect(usable.filter((one) => one.isDefault)).toHaveLength(1);
});

test('the same Idempotency-Key makes one connection', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const given = {
    key,
    headers: { 'idempotency-key': 'once' },
    body: { credentials: { apiKey: 'k', allowedHosts: 'a.example' } },
  };
  const path = '/api/workflow-apps/http/connections/apiKey/connect';
  expect((await call('POST', path, given)).body).toEqual((await call('POST', path, given)).body);
  expect(await usableConnections(stackDatabase(), workspaceId, 'http')).toHaveLength(1);
});

test.each([
  ['a field is missing', { username: 'ann', allowedHosts: 'a.example' }, 'credentials.password'],
  ['a field is empty', { username: 'ann', password: '', allowedHosts: 'a.example' }, 'credentials.password'],
  ['no host is named', { username: 'ann', password: SECRET }, 'credentials.allowedHosts'],
  [
    'a field is unknown',
    { username: 'ann', password: SECRET, allowedHosts: 'a.example', token: SECRET },
    'credentials.token',
  ],
])('%s: refused with its place, and without its value', async (_, credentials, path) => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const answer = await connect(key, { credentials }, 'basic');
  expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path }] } });
  expect(JSON.stringify(answer.body)).not.toContain(SECRET);
  expect(await usableConnections(stackDatabase(), workspaceId, 'http')).toEqual([]);
});

test.each([
  ['apiKey', { apiKey: SECRET, header: 'two words', allowedHosts: 'a.example' }],
  ['apiKey', { apiKey: SECRET, allowedHosts: [] }],
  ['apiKey', { apiKey: SECRET, allowedHosts: ['https://a.example/'] }],
  ['apiKey', { apiKey: SECRET, allowedHosts: '*' }],
  ['apiKey', { apiKey: `${SECRET}\n`, allowedHosts: 'a.example' }],
  ['basic', { username: 'a:b', password: SECRET, allowedHosts: 'a.example' }],
])('credentials that the app cannot send (%s) fail, and nothing is stored', async (type, credentials) => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const answer = await connect(key, { credentials }, type);
  expect(answer).toMatchObject({ status: 200, body: { id: null, status: 'failed', message: expect.any(String) } });
  expect(JSON.stringify(answer.body)).not.toContain(SECRET);
  expect(await usableConnections(stackDatabase(), workspaceId, 'http')).toEqual([]);
});

test('an unknown app or connection type is 404', async () => {
  const { apiKey: key } = await makeWorkspace();
  expect((await connect(key, { credentials: {} }, 'oauth')).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  const path = '/api/workflow-apps/constructor/connections/apiKey/connect';
  expect((await call('POST', path, { key, body: { credentials: {} } })).status).toBe(404);
});

test("another workspace's connection is treated like an unknown one", async () => {
  const { apiKey: stranger } = await makeWorkspace();
  const { apiKey: key } = await makeWorkspace();
  const { id } = (await connect(stranger, { credentials: { apiKey: SECRET, allowedHosts: 'a.example' } })).body;
  expect((await call('GET', `/api/connections/${id}`, { key })).status).toBe(404);
  expect((await call('GET', '/api/connections', { key })).body).toEqual([]);
});

const SHOP = { apiKey: SECRET, allowedHosts: ['shop.example'] };

test('a change sets what is given, and moves the default', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const { id: one } = (await connect(key, { name: 'one', isDefault: true, credentials: SHOP })).body;
  const { id: two } = (await connect(key, { name: 'two', credentials: SHOP })).body;
  const change = (body: object, method = 'PATCH') => call(method, `/api/connections/${two}`, { key, body });
  expect((await change({ name: 'Two' })).body).toEqual({ id: two, name: 'Two', isDefault: false });
  expect((await change({ isDefault: true }, 'PUT')).body).toEqual({ id: two, name: 'Two', isDefault: true });
  const defaults = (await usableConnections(stackDatabase(), workspaceId, 'http')).filter((each) => each.isDefault);
  expect(defaults.map(({ id }) => id)).toEqual([two]);
  expect((await change({})).body).toEqual({ id: two, name: 'Two', isDefault: true });
  expect((await change({ isDefault: false })).body).toMatchObject({ isDefault: false });
  const { apiKey: stranger } = await makeWorkspace();
  expect((await call('PATCH', `/api/connections/${one}`, { key: stranger, body: { name: 'x' } })).status).toBe(404);
});

test('new credentials replace all of the old ones, and are checked first', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const { id } = (await connect(key, { credentials: { ...SHOP, header: 'X-Token' } })).body;
  const change = (credentials: object) => call('PATCH', `/api/connections/${id}`, { key, body: { credentials } });
  const connections = await stackConnections();
  const stored = async () => (await connections.open(workspaceId, id))?.credentials;
  const before = await stored();
  // Changing the host without the secret must not send the stored secret there.
  expect((await change({ allowedHosts: ['attacker.example'] })).body).toMatchObject({
    status: 400,
    errors: [{ path: 'credentials.apiKey' }],
  });
  expect((await change({ ...SHOP, allowedHosts: [] })).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    errors: [{ path: 'credentials' }],
  });
  expect(await stored()).toEqual(before);
  expect((await change({ apiKey: 'another', allowedHosts: 'b.example' })).status).toBe(200);
  expect(await stored()).toEqual({ apiKey: 'another', allowedHosts: 'b.example' });
});

test('one of many simultaneous changes of the default wins', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const made = await Promise.all(Array.from({ length: 8 }, () => connect(key, { credentials: SHOP })));
  const answers = await Promise.all(
    made.map(({ body }) => call('PATCH', `/api/connections/${body.id}`, { key, body: { isDefault: true } })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const usable = await usableConnections(stackDatabase(), workspaceId, 'http');
  expect(usable.filter((one) => one.isDefault)).toHaveLength(1);
});

test('a test reports whether the stored credentials work, as connect does', async () => {
  const { apiKey: key } = await makeWorkspace();
  const made = (await connect(key, { name: 'Shop', credentials: SHOP })).body;
  expect((await call('POST', `/api/connections/${made.id}/test`, { key })).body).toEqual(made);
  let isOpen = true;
  const provider = await loopback(
    (_, response) =>
      void response.writeHead(isOpen ? 200 : 401, { 'content-type': 'application/json' }).end('{"data":[]}'),
  );
  const { id } = (
    await call('POST', '/api/workflow-apps/openai/connections/apiKey/connect', {
      key,
      body: { credentials: { apiKey: SECRET, baseUrl: provider.url } },
    })
  ).body;
  expect((await call('POST', `/api/connections/${id}/test`, { key })).body).toMatchObject({ id, status: 'connected' });
  isOpen = false;
  const failed = await call('POST', `/api/connections/${id}/test`, { key });
  expect(failed.body).toMatchObject({ id, status: 'failed', message: expect.any(String) });
  expect(JSON.stringify(failed.body)).not.toContain(SECRET);
});
