import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import { buildApp } from '../../api/app.ts';
import { type OpenApiOperation, readOpenApi, routesOf } from '../../api/openapi.ts';
import { insertApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { type Api, api } from '../setup/api/client.ts';
import { type OwnApi, startOwnApi } from '../setup/stack/ownApi.ts';

let own: OwnApi;
let call: Api;
let readsVariables: Api;
let readsVariablesKey: string;

beforeAll(async () => {
  own = await startOwnApi({ MAX_ANSWER_BYTES: '5000' });
  call = api(own.url, own.apiKey);
  const { key, hash, prefix } = makeApiKey();
  const more = { expiresAt: null, permissions: ['variables:read' as const] };
  await insertApiKey(own.database, own.workspaceId, { id: v7(), name: 'reads variables', hash, prefix, ...more });
  readsVariables = api(own.url, key);
  readsVariablesKey = key;
});

afterAll(() => own?.dispose());

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

test('a missing permission is reported before a wrong body, and before the key is stored', async () => {
  const headers = { 'idempotency-key': 'one' };
  const wrong = await readsVariables('POST', '/api/projects', { body: { nothing: 1 }, headers });
  expect(wrong.body.code).toBe('FORBIDDEN');
  const unread = await fetch(`${own.url}/api/projects`, {
    method: 'POST',
    headers: { 'x-api-key': readsVariablesKey, 'content-type': 'application/json' },
    body: '{"name":',
  });
  expect(unread.status).toBe(403);
  expect((await call('POST', '/api/projects', { body: { nothing: 1 } })).body.code).toBe('VALIDATION_FAILED');
  const refused = await readsVariables('POST', '/api/projects', { body: { name: 'a' }, headers });
  expect(refused.body.code).toBe('FORBIDDEN');
  const made = await call('POST', '/api/projects', { body: { name: 'a' }, headers });
  expect(made.status).toBe(201);
  const again = await call('POST', '/api/projects', { body: { name: 'a' }, headers });
  expect([again.body.id, again.headers.get('idempotency-replayed')]).toEqual([made.body.id, 'true']);
});

test.each(['PATCH', 'PUT'])('%s of a project changes the supplied fields, and nothing else', async (method) => {
  const path = `/api/projects/${own.projectId}?expansion=description,updatedAt`;
  const change = (body: unknown) => call(method, path, { body });
  expect(await change({ description: 'Orders' })).toMatchObject({ status: 200, body: { description: 'Orders' } });
  const renamed = await change({ name: 'Shop' });
  expect(renamed.body).toMatchObject({ id: own.projectId, name: 'Shop', description: 'Orders' });
  expect(await change({})).toMatchObject({ status: 200, body: renamed.body });
  expect((await change({ id: own.projectId })).body.code).toBe('VALIDATION_FAILED');
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
  for (const cursor of ['x', 'a.A', 'k1.A', `${new URL(next).searchParams.get('cursor')}x`]) {
    expect((await call('GET', `/api/variables?cursor=${cursor}`)).body.code).toBe('VALIDATION_FAILED');
    expect((await call('GET', `/api/projects?cursor=${cursor}`)).body.code).toBe('VALIDATION_FAILED');
  }
});

test('an answer that openapi.yaml marks as secret is kept sealed under its key, and given again as it was', async () => {
  const withSecret = () => {
    const document = readOpenApi();
    const operation = document.paths['/api/projects']?.post as OpenApiOperation;
    operation['x-secret-answer'] = true;
    return document;
  };
  const secretly = api(await own.serve(buildApp(own.services, undefined, withSecret)), own.apiKey);
  const kept = async (create: Api, name: string) => {
    const key = randomUUID();
    const send = () => create('POST', '/api/projects', { body: { name }, headers: { 'idempotency-key': key } });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect([first.body.name, again.body]).toEqual([name, first.body]);
    const row = await own.database.idempotencyKey.findFirstOrThrow({
      // A secret belongs to its caller, so the caller is part of the key.
      where: { workspaceId: own.workspaceId, key: { endsWith: key } },
    });
    const { body } = row.answer as { body: string | null };
    return { body, keyId: row.keyId, sealed: Buffer.from(row.sealedBody ?? []).toString('latin1') };
  };
  const plain = await kept(call, 'shown-4711');
  expect(plain).toEqual({ body: expect.stringContaining('shown-4711'), keyId: null, sealed: '' });
  const sealed = await kept(secretly, 'secret-4711');
  expect(sealed).toEqual({ body: null, keyId: 'k1', sealed: expect.not.stringContaining('secret-4711') });
  expect(sealed.sealed.length).toBeGreaterThan(0);
});
