import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import { api } from '../setup/api/client.ts';
import { exampleBody } from '../setup/api/exampleBody.ts';
import { inject } from '../setup/stack/inject.ts';
import { grant, keyOf } from '../setup/workspace/grants.ts';
import { makeKnowledge } from '../setup/workspace/knowledge.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';

const document = readOpenApi();
const routes = routesOf(document).filter(({ path }) => /^\/api\/knowledge(\/|$)/.test(path));

const workspace = await makeWorkspace();
const [reader, writer, consumer] = await Promise.all([
  keyOf(workspace, 'knowledge:read'),
  keyOf(workspace, 'knowledge:write'),
  keyOf(workspace, 'agents:use'),
]);

test('there are nine operations, and search', () => {
  expect(routes.filter(({ method }) => method !== 'put')).toHaveLength(10);
});

test.each(routes)('$method $path: with its permission, and with no other', async ({ method, path, permissions }) => {
  const body = exampleBody(document.paths[path]?.[method]);
  const isRefused = async ({ call }: typeof reader) => {
    const place = path.replaceAll(/\{\w+\}/g, () => randomUUID());
    const answer = await call(method.toUpperCase(), place, body === undefined ? {} : { body });
    return answer.status === 403;
  };
  expect([await isRefused(reader), await isRefused(writer), await isRefused(consumer)]).toEqual([
    !permissions?.includes('knowledge:read'),
    !permissions?.includes('knowledge:write'),
    true,
  ]);
  expect(permissions).toHaveLength(1);
});

test('a grant on an agent does not give access to its knowledge bases', async () => {
  const { own, path, id, workspaceId, save } = await makeKnowledge();
  await save('Salaries are paid on the first day of each month.');
  const project = await own('POST', '/api/projects', { body: { name: 'P' } });
  const agent = await own('POST', `/api/projects/${project.body.id}/agents/upsert`, {
    body: { slug: 'a', instructions: 'Help.', model: 'm', knowledgeIds: [id] },
  });
  const guest = await keyOf({ workspaceId, url: inject('stack').url }, 'agents:use');
  await grant({ workspaceId }, agent.body.id, { apiKeyId: guest.id });
  expect((await guest.call('GET', `/api/agents/${agent.body.id}`)).status).toBe(200);
  const [{ groupId }] = (await own('GET', `${path}/documents`)).body;
  for (const place of ['/api/knowledge', path, `${path}/documents`, `${path}/documents/${groupId}`]) {
    expect((await guest.call('GET', place)).status).toBe(403);
  }
  const search = await guest.call('POST', `${path}/search`, { body: { query: 'salaries' } });
  expect(search.status).toBe(403);
});

describe('limits', () => {
  test.each([
    [{ chunkSize: 49 }, 'chunkSize'],
    [{ chunkSize: 8_001 }, 'chunkSize'],
    [{ chunkSize: 50.5 }, 'chunkSize'],
    [{ chunkOverlap: -1 }, 'chunkOverlap'],
    [{ chunkSize: 50, chunkOverlap: 26 }, 'chunkOverlap'],
    [{ dimensions: 0 }, 'dimensions'],
    [{ dimensions: 4_001 }, 'dimensions'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ description: 'x'.repeat(10_001) }, 'description'],
    [{ embeddingProvider: 'other' }, 'embeddingProvider'],
    [{ chunks: 1 }, 'chunks'],
  ])('a base with %j is neither made nor changed', async (more, path) => {
    const { own, id } = await makeKnowledge();
    const refused = { status: 400, body: { errors: [{ path }] } };
    expect(await own('POST', '/api/knowledge', { body: { name: 'x', ...more } })).toMatchObject(refused);
    expect(await own('PATCH', `/api/knowledge/${id}`, { body: more })).toMatchObject(refused);
    expect((await own('GET', '/api/knowledge')).body).toEqual([{ id, name: 'Handbook' }]);
  });

  test.each([
    { chunkSize: 50, chunkOverlap: 25 },
    { chunkSize: 8_000, chunkOverlap: 4_000 },
    { chunkSize: 50, chunkOverlap: 0 },
  ])('a base with %j is made', async (chunks) => {
    const { url, apiKey } = await makeWorkspace();
    const body = { name: 'x', ...chunks };
    const made = await api(url, apiKey)('POST', '/api/knowledge?expansion=chunkSize,chunkOverlap', { body });
    expect(made).toMatchObject({ status: 201, body: chunks });
  });

  test('an overlap is at most half of the chunk size', async () => {
    const { own, path } = await makeKnowledge({ chunkSize: 400, chunkOverlap: 200 });
    expect((await own('PATCH', path, { body: { chunkSize: 399 } })).body.errors).toMatchObject([
      { path: 'chunkOverlap' },
    ]);
    expect((await own('PATCH', path, { body: { chunkOverlap: 201 } })).status).toBe(400);
    expect((await own('PATCH', path, { body: { chunkSize: 300, chunkOverlap: 150 } })).status).toBe(200);
  });

  test.each([
    [{ query: '' }, 'query'],
    [{ query: ' \n\u3000' }, 'query'],
    [{ query: 'x'.repeat(10_001) }, 'query'],
    [{ query: 'x', limit: 0 }, 'limit'],
    [{ query: 'x', limit: 101 }, 'limit'],
    [{ query: 'x', mode: 'near' }, 'mode'],
    [{ query: 'x', filter: [] }, 'filter'],
    [{ limit: 1 }, 'query'],
  ])('a search by %j is refused', async (body, path) => {
    const { own, path: base } = await makeKnowledge();
    expect(await own('POST', `${base}/search`, { body })).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  test.each([
    [{ text: 'x', name: 'x'.repeat(501) }, 'name'],
    [{ text: 'x', metadata: [] }, 'metadata'],
    [{ text: 1 }, 'text'],
    [{ name: 'x' }, 'text'],
    [{ text: 'x', title: 'x' }, 'title'],
  ])('an upload of %j is refused, and nothing is stored', async (body, path) => {
    const { own, path: base } = await makeKnowledge();
    const refused = await own('POST', `${base}/saveUploadedText`, { body });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect((await own('GET', `${base}/documents`)).body).toEqual([]);
  });

  test('a text of more than 10 MiB is refused before anything is stored', async () => {
    const { own, path, save } = await makeKnowledge();
    const refused = await save('x'.repeat(10_485_761));
    expect(refused).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    expect((await own('GET', `${path}/documents`)).body).toEqual([]);
  });

  test('a text that Postgres cannot store is refused, and every other comes back unchanged', async () => {
    const { own, path, save, search } = await makeKnowledge();
    const zero = 'a\u0000b';
    for (const body of [
      { text: zero },
      { text: 'x', name: zero },
      { text: 'x', metadata: { k: zero } },
      { text: 'x', metadata: { [zero]: 1 } },
    ]) {
      expect((await own('POST', `${path}/saveUploadedText`, { body })).status).toBe(400);
    }
    expect((await own('GET', `${path}/documents`)).body).toEqual([]);
    for (const body of [{ query: zero }, { query: 'x', filter: { k: zero } }]) {
      expect((await own('POST', `${path}/search`, { body })).status).toBe(400);
    }
    const text = 'Ünïcödé 🙂 and "quotes" \\ and <|endoftext|>, 日本語。';
    await save(text, { metadata: { 'a"b': text, __proto__x: 1 } });
    expect(await search('quotes', { filter: { 'a"b': text } })).toMatchObject([{ text, metadata: { 'a"b': text } }]);
  });

  test('addresses are found by their words, with any punctuation', async () => {
    const { save, search } = await makeKnowledge();
    await save('The list stands at https://shop.example/list?page=1&sort=name for everybody.');
    const found = await search('https://shop.example/list?page=1&sort=name', { mode: 'text' });
    expect(found).toHaveLength(1);
    for (const query of [`'`, `\\`, `a:*`, `!`, `()`, `<->`, `' & '`, `x' | 'y`]) {
      expect(Array.isArray(await search(query, { mode: 'text' }))).toBe(true);
    }
  });

  test('a base is looked for as an id: a text that is none is 400, an unknown one 404', async () => {
    const { url, apiKey } = await makeWorkspace();
    const own = api(url, apiKey);
    const unknown = '/api/knowledge/01935b1e-7c00-7c4f-8d6a-1a1b2c3d4e5f';
    for (const [method, place, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'x' }],
      ['DELETE', ''],
      ['POST', '/saveUploadedText', { text: 'x' }],
      ['POST', '/search', { query: 'x' }],
      ['GET', '/documents'],
      ['GET', '/documents/01935b1e-7c00-7c4f-8d6a-1a1b2c3d4e5f'],
      ['DELETE', '/documents/01935b1e-7c00-7c4f-8d6a-1a1b2c3d4e5f'],
    ] as const) {
      const given = body === undefined ? {} : { body };
      expect([place, (await own(method, `${unknown}${place}`, given)).status]).toEqual([place, 404]);
    }
  });

  test('features tell that there is a vector database', async () => {
    const { url, apiKey } = await makeWorkspace();
    expect((await api(url, apiKey)('GET', '/api/discovery/enabled-features')).body).toMatchObject({
      vectorDatabase: true,
    });
  });
});
