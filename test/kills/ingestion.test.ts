// test: long
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { anyPort } from '../../process/ports.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { startModelProvider } from '../setup/providers/modelProvider.ts';
import { ownHome } from '../setup/stack/ownHome.ts';
import { connectionTo } from '../setup/stack/temporal.ts';

const PATIENCE = { timeout: 90_000, interval: 200 };
const KEY = 'sk-the-key-of-the-platform';

const port = await anyPort();
const { stack, database } = await ownHome({
  environment: {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    IDEMPOTENCY_LOCK_MS: '2000',
  },
});

/** Returns a text of that many parts of about 45 tokens. */
const textOf = (parts: number, name = 'Paragraph') =>
  Array.from(
    { length: parts },
    (_, n) => `${name} ${n} ${'says that nobody may be late for tea, '.repeat(5)}or sorry.`,
  ).join('\n\n');

async function makeBase() {
  const own = api(stack.url, stack.credentials.apiKey);
  const body = { name: 'Rules', dimensions: 16, chunkSize: 60, chunkOverlap: 0 };
  const made = await own('POST', '/api/knowledge?expansion=embeddingProvider,embeddingModel', { body });
  expect(made.body).toMatchObject({ embeddingProvider: 'openai', embeddingModel: 'text-embedding-3-small' });
  const path = `/api/knowledge/${made.body.id}`;
  const upload = (text: string, key: string = randomUUID()) =>
    own('POST', `${path}/saveUploadedText`, { body: { text }, headers: { 'idempotency-key': key } });
  return { own, id: made.body.id as string, path, upload };
}

async function countsOf(knowledgeId: string) {
  const vectors = `knowledge.vectors_${knowledgeId.replaceAll('-', '')}`;
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM knowledge_documents WHERE knowledge_id = $1) AS documents,
       (SELECT count(*)::int FROM knowledge_chunks WHERE knowledge_id = $1) AS chunks,
       (SELECT count(*)::int FROM ${vectors}) AS vectors,
       (SELECT count(DISTINCT chunk_id)::int FROM ${vectors} v JOIN knowledge_chunks c ON c.id = v.chunk_id) AS bound`,
    [knowledgeId],
  );
  return rows[0];
}

test('killed in the middle, a document ends whole and once, whether its caller comes again or not; nobody sees it before', async () => {
  const provider = await startModelProvider({ port });
  const [returned, left, held] = [await makeBase(), await makeBase(), await makeBase()];
  const key = randomUUID();
  const text = textOf(400, 'Line');
  const callsOf = (name: string) =>
    provider.requests.filter(({ body }) => JSON.stringify(body.input).includes(`${name} `)).length;
  // One batch has two calls, the other has one. The first call of each is stored while the provider delays the second
  // one.
  const release = provider.holdEmbeddings('Held 100 ', 'Line 399 ', 'Paragraph 299 ');
  const first = [held.upload(textOf(130, 'Held')).catch(() => 'broken')];
  await poll(() => countsOf(held.id), PATIENCE).toMatchObject({ chunks: 130, vectors: 66 });
  await poll(() => callsOf('Held'), PATIENCE).toBe(3);
  first.push(...[returned.upload(text, key), left.upload(textOf(300))].map((each) => each.catch(() => 'broken')));
  // Only some of seven and five calls have been embedded: the provider delays the last one.
  await poll(() => Math.min(callsOf('Line'), callsOf('Paragraph')), { ...PATIENCE, interval: 5 }).toBeGreaterThan(1);
  await stack.killMain();
  expect(await Promise.all(first)).toEqual(['broken', 'broken', 'broken']);
  release();
  await stack.startAgain();
  // The response is 409 until the dead process's claim expires.
  await poll(async () => (await returned.upload(text, key)).status, PATIENCE).toBe(201);
  const documentsOf = async ({ own, path }: typeof left) => (await own('GET', `${path}/documents`)).body;
  expect(await documentsOf(returned)).toMatchObject([{ parts: 400 }]);
  expect(await countsOf(returned.id)).toEqual({ documents: 1, chunks: 400, vectors: 400, bound: 400 });
  await poll(async () => (await documentsOf(left)).length, PATIENCE).toBe(1);
  expect(await countsOf(left.id)).toEqual({ documents: 1, chunks: 300, vectors: 300, bound: 300 });
  await poll(async () => (await documentsOf(held)).length, PATIENCE).toBe(1);
  expect(await countsOf(held.id)).toEqual({ documents: 1, chunks: 130, vectors: 130, bound: 130 });
  expect(callsOf('Held')).toBe(4);
}, 240_000);

test('429 with Retry-After and 5xx are tried again', async () => {
  const provider = await startModelProvider({ port });
  const { id, upload } = await makeBase();
  provider.failEmbeddings({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 });
  expect(await upload(textOf(3))).toMatchObject({ status: 201, body: true });
  expect(provider.requests).toHaveLength(3);
  expect(await countsOf(id)).toEqual({ documents: 1, chunks: 3, vectors: 3, bound: 3 });
}, 120_000);

test('if the provider rejects permanently, nothing is stored, and the caller gets the reason', async () => {
  const provider = await startModelProvider({ port });
  const { own, id, path, upload } = await makeBase();
  provider.failEmbeddings({ status: 400 });
  const refused = await upload(textOf(3));
  expect(refused).toMatchObject({ status: 502, body: { code: 'EMBEDDING_FAILED', reason: 'PROVIDER_STATUS' } });
  expect(refused.body.detail).toMatch(/answered 400: Scripted.* Nothing was stored\./);
  expect(await countsOf(id)).toEqual({ documents: 0, chunks: 0, vectors: 0, bound: 0 });
  // The embedding settings may change only without a document.
  expect((await own('PATCH', path, { body: { dimensions: 32 } })).status).toBe(200);
  expect(await upload(textOf(3))).toMatchObject({ status: 201 });
  const changed = await own('PATCH', path, { body: { dimensions: 16 } });
  expect([changed.status, changed.body.code]).toEqual([409, 'CONFLICT']);
  provider.failEmbeddings({ status: 401 });
  const search = (query: string, mode?: string) =>
    own('POST', `${path}/search`, { body: { query, ...(mode === undefined ? {} : { mode }) } });
  expect(await search('tea', 'semantic')).toMatchObject({ status: 502, body: { reason: 'PROVIDER_UNAUTHENTICATED' } });
  // The search uses only words, and the response shows it.
  provider.failEmbeddings({ status: 401 });
  const byWords = await search('Paragraph 2');
  expect(byWords).toMatchObject({
    status: 200,
    body: { mode: 'text', embeddingFailure: { code: 'PROVIDER_UNAUTHENTICATED', message: expect.any(String) } },
  });
  expect(byWords.body.results).toEqual((await search('Paragraph 2', 'text')).body.results);
  expect(byWords.body.results).not.toEqual([]);
  provider.failEmbeddings({ status: 401 });
  expect((await search('nowhere')).body).toMatchObject({ mode: 'text', results: [] });
  const found = await own('POST', `${path}/search`, { body: { query: 'Paragraph 2', mode: 'hybrid', limit: 1 } });
  expect(found.body).toMatchObject({ mode: 'hybrid' });
  expect(found.body).not.toHaveProperty('embeddingFailure');
  expect(found.body.results[0].text).toMatch(/^Paragraph 2 /);
}, 120_000);

async function leftOf(knowledgeId: string) {
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::int FROM knowledge_documents WHERE knowledge_id = $1) AS documents,
       (SELECT count(*)::int FROM knowledge_chunks WHERE knowledge_id = $1) AS chunks,
       to_regclass('knowledge.vectors_' || replace($1::text, '-', '')) AS vectors`,
    [knowledgeId],
  );
  return rows[0];
}

test('if the base is deleted during an ingestion, the upload fails, and nothing is left', async () => {
  const provider = await startModelProvider({ port });
  const { own, id, path, upload } = await makeBase();
  const release = provider.holdEmbeddings();
  const uploading = upload(textOf(3));
  await provider.request(1);
  expect((await own('DELETE', path)).status).toBe(200);
  release();
  expect(await uploading).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  expect(await leftOf(id)).toEqual({ documents: 0, chunks: 0, vectors: null });
  expect((await upload(textOf(3))).status).toBe(404);
}, 120_000);

test('a connection that breaks loses nothing: the same Idempotency-Key waits for the same ingestion', async () => {
  const provider = await startModelProvider({ port });
  const { own, path, upload } = await makeBase();
  const release = provider.holdEmbeddings();
  const [key, text] = [randomUUID(), textOf(3)];
  const away = new AbortController();
  const first = fetch(`${stack.url}${path}/saveUploadedText`, {
    method: 'POST',
    headers: {
      'x-api-key': stack.credentials.apiKey,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ text }),
    signal: away.signal,
  });
  await provider.request(1);
  away.abort();
  await expect(first).rejects.toThrow(/abort/i);
  const again = poll(async () => (await upload(text, key)).status, PATIENCE).toBe(201);
  expect((await own('GET', `${path}/documents`)).body).toEqual([]);
  release();
  await again;
  expect((await own('GET', `${path}/documents`)).body).toMatchObject([{ parts: 3 }]);
  expect(provider.requests).toHaveLength(1);
}, 120_000);

test('a database that goes away amid an ingestion: whole and once, under one Idempotency-Key', async () => {
  const provider = await startModelProvider({ port });
  const { own, id, path, upload } = await makeBase();
  const release = provider.holdEmbeddings();
  const [key, text] = [randomUUID(), textOf(70)];
  const first = upload(text, key);
  await provider.request(1);
  const back = stack.holdDatabaseDown(5_000);
  release();
  expect([201, 503]).toContain((await first).status);
  await back;
  await poll(async () => (await upload(text, key)).status, PATIENCE).toBe(201);
  expect((await own('GET', `${path}/documents`)).body).toMatchObject([{ parts: 70 }]);
  expect(await countsOf(id)).toEqual({ documents: 1, chunks: 70, vectors: 70, bound: 70 });
}, 180_000);

test('while the engine is away an upload is 503 and stores nothing; then it is stored', async () => {
  await startModelProvider({ port });
  const { id, upload } = await makeBase();
  const [key, text] = [randomUUID(), textOf(3)];
  const { temporal } = await stack.pids();
  if (temporal === undefined) throw new Error('The stack has no engine of its own');
  process.kill(temporal, 'SIGSTOP');
  const refused = await upload(text, key);
  const stored = await countsOf(id);
  process.kill(temporal, 'SIGCONT');
  expect(refused).toMatchObject({ status: 503, body: { code: 'ENGINE_UNAVAILABLE' } });
  expect(stored).toEqual({ documents: 0, chunks: 0, vectors: 0, bound: 0 });
  await poll(async () => (await upload(text, key)).status, PATIENCE).toBe(201);
  expect(await countsOf(id)).toEqual({ documents: 1, chunks: 3, vectors: 3, bound: 3 });
}, 180_000);

/** Decodes payloads, which are bytes in a history. */
const payloadsIn = (events: unknown) =>
  JSON.stringify(events, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value));

test('no text and no key enters a history or a log', async () => {
  const provider = await startModelProvider({ port });
  const { upload } = await makeBase();
  expect((await upload('A text that is nobody else its business: marmalade.')).status).toBe(201);
  expect(provider.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  const { rows } = await database.pool.query(
    "SELECT id FROM knowledge_documents WHERE status = 'READY' ORDER BY created_at DESC LIMIT 1",
  );
  const connection = await connectionTo(stack.temporalAddress);
  const { events } = await new Client({ connection }).workflow.getHandle(`ingest-${rows[0].id}`).fetchHistory();
  await connection.close();
  expect(events?.length).toBeGreaterThan(5);
  for (const shown of [stack.output(), JSON.stringify(events), payloadsIn(events)]) {
    expect(shown).not.toContain('marmalade');
    expect(shown).not.toContain(KEY);
  }
}, 120_000);
