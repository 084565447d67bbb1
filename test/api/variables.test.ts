import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { storageProblem } from '../../domain/storableJson.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

const names = (answer: { body: { name: string }[] }) => answer.body.map(({ name }) => name).sort();

test('a variable is created, read, changed and deleted', async () => {
  const { apiKey: key, workspaceId } = await makeWorkspace();
  const created = await call('POST', '/api/variables?expansion=value,description,workspace,project', {
    key,
    body: { name: 'SHOP_URL', value: { deep: [1, null, 'x'] } },
  });
  const { id } = created.body;
  expect(created).toMatchObject({
    status: 201,
    body: {
      name: 'SHOP_URL',
      value: { deep: [1, null, 'x'] },
      description: null,
      project: null,
      workspace: { id: workspaceId },
    },
  });
  const path = `/api/variables/${id}`;
  expect((await call('GET', path, { key })).body).toEqual({ id, name: 'SHOP_URL' });
  expect(await call('DELETE', path, { key })).toMatchObject({ status: 200, body: true });
  expect((await call('GET', path, { key })).status).toBe(404);
  expect((await call('DELETE', path, { key })).status).toBe(404);
});

test.each(['PATCH', 'PUT'])('%s changes the supplied fields, and nothing else', async (method) => {
  const { apiKey: key } = await makeWorkspace();
  const all = 'expansion=value,description,updatedAt,createdAt';
  const created = await call('POST', `/api/variables?${all}`, {
    key,
    body: { name: 'a', value: 1, description: 'one' },
  });
  const path = `/api/variables/${created.body.id}?${all}`;
  const change = (body: unknown) => call(method, path, { key, body });
  expect((await change({ value: null })).body).toMatchObject({ name: 'a', value: null, description: 'one' });
  expect((await change({ description: null })).body).toMatchObject({ name: 'a', value: null, description: null });
  const last = await change({ name: 'b' });
  expect(last).toMatchObject({ status: 200, body: { name: 'b', value: null, createdAt: created.body.createdAt } });
  expect(last.body.updatedAt > created.body.updatedAt).toBe(true);
  expect(await change({})).toMatchObject({ status: 200, body: last.body });
  expect((await call('GET', path, { key })).body).toEqual(last.body);
});

test('a name is unique in a scope', async () => {
  const { apiKey: key, projectId } = await makeWorkspace();
  const create = (body: object) => call('POST', '/api/variables', { key, body });
  const first = await create({ name: 'a', value: 1 });
  expect(await create({ name: 'a', value: 2 })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect((await create({ name: 'a', value: 3, projectId })).status).toBe(201);
  expect((await create({ name: 'a', value: 4, projectId })).status).toBe(409);
  const other = await create({ name: 'b', value: 5 });
  const renamed = await call('PATCH', `/api/variables/${other.body.id}`, { key, body: { name: 'a' } });
  expect(renamed).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  const same = await call('PATCH', `/api/variables/${first.body.id}`, { key, body: { name: 'a' } });
  expect(same.status).toBe(200);
});

test('of many concurrent creations of one name one succeeds', async () => {
  const { apiKey: key } = await makeWorkspace();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, value) => call('POST', '/api/variables', { key, body: { name: 'a', value } })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
});

test('filters distinguish the variables of a project from those it can reach', async () => {
  const { apiKey: key, projectId } = await makeWorkspace();
  const other = await call('POST', '/api/projects', { key, body: { name: 'Other' } });
  for (const [name, scope] of [
    ['all', null],
    ['mine', projectId],
    ['theirs', other.body.id],
  ]) {
    await call('POST', '/api/variables', { key, body: { name, value: 1, projectId: scope } });
  }
  const list = (query: string) => call('GET', `/api/variables?${query}`, { key });
  expect(names(await list('includeType=all'))).toEqual(['all', 'mine', 'theirs']);
  expect(names(await list(`filterBy=projectId:${projectId}`))).toEqual(['mine']);
  expect(names(await list(`filterBy=projectAccessId:${projectId}`))).toEqual(['all', 'mine']);
  expect((await list('filterBy=name:all')).status).toBe(400);
});

test("another workspace's variables and projects are as ones that do not exist", async () => {
  const { apiKey: stranger, projectId: foreign } = await makeWorkspace();
  const { apiKey: key } = await makeWorkspace();
  const { id } = (await call('POST', '/api/variables', { key: stranger, body: { name: 'a', value: 'theirs' } })).body;
  for (const [method, body] of [['GET'], ['PATCH', { value: 1 }], ['PUT', { value: 1 }], ['DELETE']] as const) {
    const answer = await call(method, `/api/variables/${id}`, { key, body });
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
  const created = await call('POST', '/api/variables', { key, body: { name: 'b', value: 1, projectId: foreign } });
  expect(created).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  expect((await call('GET', '/api/variables', { key })).body).toEqual([]);
  const kept = await call('GET', `/api/variables/${id}?expansion=value`, { key: stranger });
  expect(kept.body.value).toBe('theirs');
});

test('a name need not be an identifier: expressions take it in brackets', async () => {
  const { apiKey: key, projectId } = await makeWorkspace();
  const given = ['shop-url', 'Base URL', 'v1.limits', '7', 'größe'];
  for (const name of given) {
    const { status } = await call('POST', '/api/variables', { key, body: { name, value: `of ${name}` } });
    expect([name, status]).toEqual([name, 201]);
  }
  const values = given.map((name) => `{{ variables[${JSON.stringify(name)}] }}`);
  const body = { slug: 'names', steps: [{ appId: 'core', actionId: 'transform', inputs: { value: values } }] };
  const { id } = (await call('POST', `/api/projects/${projectId}/workflows/upsert`, { key, body })).body;
  const tested = await call('POST', `/api/workflows/${id}/nodes/step1/test`, { key, body: {} });
  expect(tested.body).toMatchObject({ status: 'COMPLETED', output: given.map((name) => `of ${name}`) });
  for (const name of ['', ' ', 'a ', ' a', 'a\nb', 'x'.repeat(129)]) {
    const { status, body: problem } = await call('POST', '/api/variables', { key, body: { name, value: 1 } });
    expect([name, status, problem.errors[0].path]).toEqual([name, 400, 'name']);
  }
});

test('any JSON value comes back as it was', async () => {
  const { apiKey: key } = await makeWorkspace();
  const { id } = (await call('POST', '/api/variables', { key, body: { name: 'a', value: 0 } })).body;
  const path = `/api/variables/${id}?expansion=value`;
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const sent = JSON.parse(JSON.stringify(value));
      const answer = await call('PATCH', path, { key, body: { value: sent } });
      if (storageProblem(JSON.stringify(sent)) !== undefined) {
        expect(answer.status).toBe(400);
      } else {
        expect(answer.body.value).toEqual(sent);
      }
    }),
    { numRuns: 60 },
  );
});

test('text that Postgres cannot store is refused', async () => {
  const { apiKey: key } = await makeWorkspace();
  for (const value of ['\u0000', { deep: ['x\ud800'] }, { '\u0000': 1 }]) {
    const answer = await call('POST', '/api/variables', { key, body: { name: 'a', value } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ path: '' }] } });
  }
});
