// test: pglite
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { api } from '../setup/api/client.ts';
import { makeKnowledge } from '../setup/workspace/knowledge.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

const LOCAL = { embeddingProvider: 'local', embeddingModel: 'universal-sentence-encoder-lite', dimensions: 512 };
const ALL =
  'description,createdAt,updatedAt,workspace,indexName,chunkSize,chunkOverlap,usage,vectorRefs,countVectorRefs,embeddingProvider,embeddingModel,dimensions';

const SHOP = [
  ['Refunds', 'Refunds are paid within five days after we have received the returned goods.'],
  ['Delivery', 'Delivery takes two working days; a late shipment can be traced by its number.'],
  ['Pets', 'Tenants may keep cats and small dogs in their apartments.'],
] as const;

/** Counts the base's rows in tables that no operation shows. */
async function rowsOf(knowledgeId: string) {
  const { pool } = stackDatabase();
  const vectors = `knowledge.vectors_${knowledgeId.replaceAll('-', '')}`;
  const count = async (sql: string, values: unknown[] = []) => Number((await pool.query(sql, values)).rows[0].count);
  const there = (await pool.query('SELECT to_regclass($1) AS name', [vectors])).rows[0].name !== null;
  return {
    documents: await count('SELECT count(*) FROM knowledge_documents WHERE knowledge_id = $1', [knowledgeId]),
    chunks: await count('SELECT count(*) FROM knowledge_chunks WHERE knowledge_id = $1', [knowledgeId]),
    vectors: there ? await count(`SELECT count(*) FROM ${vectors}`) : 'gone',
  };
}

describe('a knowledge base', () => {
  test('has the defaults of the deployment, is read, changed and deleted', async () => {
    const { url, apiKey, workspaceId } = await makeWorkspace();
    const own = api(url, apiKey);
    const made = await own('POST', `/api/knowledge?expansion=${ALL}`, { body: { name: 'Handbook' } });
    const { id } = made.body;
    expect([made.status, made.body]).toEqual([
      201,
      {
        ...{ id, name: 'Handbook', description: null, chunkSize: 800, chunkOverlap: 100, ...LOCAL },
        ...{ createdAt: expect.stringMatching(/Z$/), updatedAt: made.body.createdAt },
        workspace: { id: workspaceId, name: expect.any(String) },
        indexName: `vectors_${id.replaceAll('-', '')}`,
        ...{ usage: { documents: 0, parts: 0, tokens: 0 }, vectorRefs: [], countVectorRefs: 0 },
      },
    ]);
    const body = { name: 'Rules', description: 'Of the house', chunkSize: 200, chunkOverlap: 20 };
    for (const method of ['PATCH', 'PUT']) {
      const changed = await own(method, `/api/knowledge/${id}?expansion=${ALL}`, { body });
      expect(changed).toMatchObject({ status: 200, body: { id, ...body, ...LOCAL } });
    }
    const other = await own('POST', '/api/knowledge', { body: { name: 'Other' } });
    await own('PATCH', `/api/knowledge/${id}`, { body: { description: null } });
    expect((await own('GET', '/api/knowledge')).body).toEqual([
      { id, name: 'Rules' },
      { id: other.body.id, name: 'Other' },
    ]);
    expect(await own('DELETE', `/api/knowledge/${id}`)).toMatchObject({ status: 200, body: true });
    expect((await own('DELETE', `/api/knowledge/${id}`)).status).toBe(404);
    expect((await own('GET', `/api/knowledge/${id}`)).status).toBe(404);
    expect(await rowsOf(id)).toEqual({ documents: 0, chunks: 0, vectors: 'gone' });
  });

  test.each([
    [{ chunkSize: 100, chunkOverlap: 51 }, 'chunkOverlap'],
    [{ chunkSize: 10 }, 'chunkSize'],
    [{ embeddingProvider: 'openai' }, 'embeddingProvider'],
    [{ embeddingModel: 'other' }, 'embeddingModel'],
    [{ dimensions: 384 }, 'dimensions'],
    [{ name: '' }, 'name'],
  ])('%j is refused', async (more, path) => {
    const { url, apiKey } = await makeWorkspace();
    const { status, body } = await api(url, apiKey)('POST', '/api/knowledge', { body: { name: 'x', ...more } });
    expect([status, body.errors[0].path]).toEqual([400, path]);
  });

  test('its embedding cannot change while it has documents', async () => {
    const { own, path, save } = await makeKnowledge();
    expect((await own('PATCH', path, { body: { dimensions: 512, name: 'same' } })).status).toBe(200);
    expect((await own('PATCH', path, { body: { dimensions: 511 } })).status).toBe(400);
    await save('A text.');
    expect((await own('PATCH', path, { body: { dimensions: 512 } })).status).toBe(200);
    // Rejected even if this deployment accepts no other setting.
    for (const other of [{ dimensions: 511 }, { embeddingModel: 'other' }, { embeddingProvider: 'openai' }]) {
      expect(await own('PATCH', path, { body: other })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    }
  });
});

describe('a document', () => {
  test('is one group with its parts in order, and is deleted with them', async () => {
    const { own, id, path, save } = await makeKnowledge({ chunkSize: 50, chunkOverlap: 0 });
    const text = Array.from(
      { length: 12 },
      (_, n) => `Rule ${n} of the house says that nobody may be late for tea.`,
    ).join('\n\n');
    expect(await save(text, { name: 'Rules', metadata: { kind: 'rules' } })).toMatchObject({ status: 201, body: true });
    expect((await save('Short.')).status).toBe(201);

    const documents = (await own('GET', `${path}/documents`)).body;
    expect(documents).toEqual([
      {
        groupId: expect.any(String),
        name: null,
        createdAt: expect.stringMatching(/Z$/),
        parts: 1,
        tokens: expect.any(Number),
        metadata: {},
      },
      {
        groupId: expect.any(String),
        name: 'Rules',
        createdAt: expect.any(String),
        parts: expect.any(Number),
        tokens: expect.any(Number),
        metadata: { kind: 'rules' },
      },
    ]);
    const [, { groupId, parts, tokens }] = documents;
    expect(parts).toBeGreaterThan(3);
    const whole = (await own('GET', `${path}/documents/${groupId}`)).body;
    expect(whole.parts.map(({ partNumber }: { partNumber: number }) => partNumber)).toEqual(
      Array.from({ length: parts }, (_, index) => index + 1),
    );
    expect(whole.parts.map((part: { text: string }) => part.text).join('\n\n')).toBe(text);
    expect(whole.parts.reduce((sum: number, part: { tokens: number }) => sum + part.tokens, 0)).toBe(tokens);
    for (const part of whole.parts) expect(part.tokens).toBeLessThanOrEqual(50);

    const { usage, vectorRefs, countVectorRefs } = (
      await own('GET', `${path}?expansion=usage,vectorRefs,countVectorRefs`)
    ).body;
    expect([usage.documents, usage.parts, countVectorRefs, vectorRefs.length]).toEqual([
      2,
      parts + 1,
      parts + 1,
      parts + 1,
    ]);
    expect(vectorRefs[1]).toEqual({ id: whole.parts[0].id, groupId, partNumber: 1 });
    expect(await rowsOf(id)).toEqual({ documents: 2, chunks: parts + 1, vectors: parts + 1 });

    expect(await own('DELETE', `${path}/documents/${groupId}`)).toMatchObject({ status: 200, body: true });
    expect((await own('GET', `${path}/documents/${groupId}`)).status).toBe(404);
    expect(await rowsOf(id)).toEqual({ documents: 1, chunks: 1, vectors: 1 });
    expect((await own('DELETE', path)).body).toBe(true);
    expect(await rowsOf(id)).toEqual({ documents: 0, chunks: 0, vectors: 'gone' });
  });

  test('is stored once for one Idempotency-Key', async () => {
    const { own, path } = await makeKnowledge();
    const upload = { body: { text: 'Once.' }, headers: { 'idempotency-key': randomUUID() } };
    const answers = [
      await own('POST', `${path}/saveUploadedText`, upload),
      await own('POST', `${path}/saveUploadedText`, upload),
    ];
    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [201, true],
      [201, true],
    ]);
    expect((await own('GET', `${path}/documents`)).body).toHaveLength(1);
  });

  test('has a text', async () => {
    const { own, path, save } = await makeKnowledge();
    for (const text of ['', ' \n ']) expect((await save(text)).status).toBe(400);
    expect((await own('GET', `${path}/documents`)).body).toEqual([]);
  });
});

describe('a search', () => {
  test.each(['semantic', 'hybrid'])('%s finds a paraphrase, with its position', async (mode) => {
    const { own, path, save, search } = await makeKnowledge();
    for (const [name, text] of SHOP) await save(text, { name, metadata: { name } });
    const found = await search('How do I get my money back?', { mode });
    expect(found.map(({ metadata }) => metadata.name)[0]).toBe('Refunds');
    const documents = (await own('GET', `${path}/documents`)).body;
    const { groupId } = documents.find((each: { name: string }) => each.name === 'Refunds');
    expect(found[0]).toEqual({
      ...{ documentId: groupId, groupId, partNumber: 1, text: SHOP[0][1] },
      ...{ score: expect.any(Number), metadata: { name: 'Refunds' } },
    });
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(await search('How do I get my money back?', { mode, limit: 1 })).toEqual(found.slice(0, 1));
  });

  test('text finds words, also in other forms, and otherwise nothing', async () => {
    const { save, search } = await makeKnowledge();
    for (const [name, text] of SHOP) await save(text, { metadata: { name } });
    const names = async (query: string) => (await search(query, { mode: 'text' })).map(({ metadata }) => metadata.name);
    expect(await names('tracing a shipment')).toEqual(['Delivery']);
    expect(await names('money')).toEqual([]);
    expect(await names('the & | !')).toEqual([]);
    expect((await names("dogs' refund")).toSorted()).toEqual(['Pets', 'Refunds']);
  });

  test.each(['semantic', 'text', 'hybrid'])('%s keeps to the filter', async (mode) => {
    const { save, search } = await makeKnowledge();
    for (const [name, text] of SHOP) await save(text, { metadata: { name, of: { shop: 7 } } });
    const names = async (filter: object) =>
      (await search('refunds for cats', { mode, filter })).map(({ metadata }) => metadata.name);
    expect(await names({ name: 'Pets' })).toEqual(['Pets']);
    expect(await names({ name: 'Pets', of: { shop: 8 } })).toEqual([]);
    expect(await names({ of: { shop: 7 } })).toEqual(expect.arrayContaining(['Pets', 'Refunds']));
  });

  test('finds nothing of another base, and nothing that was deleted', async () => {
    const { own, path, save, search } = await makeKnowledge();
    await save(SHOP[0][1]);
    const other = await own('POST', '/api/knowledge', { body: { name: 'Other' } });
    const elsewhere = await own('POST', `/api/knowledge/${other.body.id}/search`, { body: { query: 'Refunds' } });
    expect(elsewhere.body).toEqual({ mode: 'hybrid', results: [] });
    const [{ groupId } = { groupId: '' }] = await search('Refunds');
    await own('DELETE', `${path}/documents/${groupId}`);
    expect(await search('Refunds')).toEqual([]);
  });
});
