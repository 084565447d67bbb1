import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import { createWorkspace } from '../../api/access/createWorkspace.ts';
import { createTokens } from '../../api/access/token.ts';
import { buildApp } from '../../api/app.ts';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import type { Services } from '../../api/services.ts';
import { readConfig } from '../../config.ts';
import { insertApiKey } from '../../prisma/store/apiKey/insertApiKey.ts';
import { type Api, api } from '../setup/client.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/ownDatabase.ts';

const MAX_ANSWER_BYTES = 5_000;

let own: MigratedDatabase;
let server: Server;
let call: Api;
let readsVariables: Api;
let projectId: string;

/** The API on a database alone: what these operations use of the services is there. */
beforeAll(async () => {
  own = await startMigratedDatabase(5);
  const secrets = { TOKEN_SECRET: 'x'.repeat(32), ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64') };
  const config = readConfig({ ...secrets, DATABASE_URL: own.url, MAX_ANSWER_BYTES: String(MAX_ANSWER_BYTES) });
  const services = {
    config,
    database: own.database,
    log: pino({ level: 'silent' }),
    tokens: createTokens(config.TOKEN_SECRET, config.ACCESS_TOKEN_TTL),
    catalogue: new Map(),
  };
  server = createServer(buildApp(services as unknown as Services));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made = await createWorkspace(own.database, { name: 'w', email: 'w@example.com', password: 'a long password' });
  projectId = made.projectId;
  call = api(url, made.apiKey);
  const { key, hash, prefix } = makeApiKey();
  const more = { expiresAt: null, permissions: ['variables:read' as const] };
  await insertApiKey(own.database, made.workspaceId, { id: v7(), name: 'reads variables', hash, prefix, ...more });
  readsVariables = api(url, key);
});

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await own.dispose();
});

const reads = routesOf(readOpenApi()).filter(
  ({ method, path }) => method === 'get' && /^\/api\/\w+\/\{\w+\}(\/steps|\/output)?$/.test(path),
);

test.each(reads.map(({ path }) => path))('%s: an id that is no UUID is as one that does not exist', async (path) => {
  const get = (id: string, who = call) => who('GET', path.replace(/\{\w+\}/, id));
  const [none, missing] = [await get('none'), await get(v7())];
  expect([none.status, none.body.code, none.body.detail]).toEqual([404, 'NOT_FOUND', missing.body.detail]);
  expect((await get('x'.repeat(180))).body.detail).toBe(missing.body.detail);
  if (!path.startsWith('/api/variables')) expect((await get('none', readsVariables)).body.code).toBe('FORBIDDEN');
});

test('a wrong body is told before a missing permission, a missing permission before the key is kept', async () => {
  const headers = { 'idempotency-key': 'one' };
  const wrong = await readsVariables('POST', '/api/projects', { body: { nothing: 1 }, headers });
  expect(wrong.body.code).toBe('VALIDATION_FAILED');
  const refused = await readsVariables('POST', '/api/projects', { body: { name: 'a' }, headers });
  expect(refused.body.code).toBe('FORBIDDEN');
  const made = await call('POST', '/api/projects', { body: { name: 'a' }, headers });
  expect(made.status).toBe(201);
  const again = await call('POST', '/api/projects', { body: { name: 'a' }, headers });
  expect([again.body.id, again.headers.get('idempotency-replayed')]).toEqual([made.body.id, 'true']);
});

test.each(['PATCH', 'PUT'])('%s of a project changes what is supplied, and nothing else', async (method) => {
  const path = `/api/projects/${projectId}?expansion=description,updatedAt`;
  const change = (body: unknown) => call(method, path, { body });
  expect(await change({ description: 'Orders' })).toMatchObject({ status: 200, body: { description: 'Orders' } });
  const renamed = await change({ name: 'Shop' });
  expect(renamed.body).toMatchObject({ id: projectId, name: 'Shop', description: 'Orders' });
  expect(await change({})).toMatchObject({ status: 200, body: renamed.body });
  expect((await change({ id: projectId })).body.code).toBe('VALIDATION_FAILED');
  expect((await change({ name: '' })).body.code).toBe('VALIDATION_FAILED');
});

test('a list of large values shows as many as one answer may have; of the others it says where they are', async () => {
  const value = 'x'.repeat(1_498);
  for (let index = 0; index < 5; index += 1) {
    expect((await call('POST', '/api/variables', { body: { name: `v${index}`, value } })).status).toBe(201);
  }
  const { body } = await call('GET', '/api/variables?expansion=value');
  const lengths = body.map((each: { value: string | null }) => each.value?.length ?? null);
  expect(lengths).toEqual([1_498, 1_498, 1_498, null, null]);
  const { valueLink, valueBytes } = body[4];
  expect(valueBytes).toBe(1_500);
  expect((await call('GET', valueLink)).body.value).toBe(value);
  const second = await call('GET', '/api/variables?expansion=value&limit=3');
  const next = /<([^>]+)>/.exec(second.headers.get('link') ?? '')?.[1] ?? '';
  expect((await call('GET', next)).body.map((each: { name: string }) => each.name)).toEqual(['v1', 'v0']);
  for (const cursor of ['x', `${new URL(next).searchParams.get('cursor')}x`]) {
    expect((await call('GET', `/api/variables?cursor=${cursor}`)).body.code).toBe('VALIDATION_FAILED');
    expect((await call('GET', `/api/projects?cursor=${cursor}`)).body.code).toBe('VALIDATION_FAILED');
  }
});
