// test: long, pglite
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { insertKnowledgeRows } from '../setup/database/knowledgeRows.ts';
import { type MigratedDatabase, startMigratedDatabase } from '../setup/database/ownDatabase.ts';

let own: MigratedDatabase;
const workspaceId = randomUUID();
beforeAll(async () => {
  own = await startMigratedDatabase();
  await run("INSERT INTO workspaces (id, name) VALUES ($1, 'w')", [workspaceId]);
}, 90_000);
afterAll(() => own?.dispose());

async function run<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await own.database.pool.query(text, values)).rows;
}

const tableOf = (knowledgeId: string) => `knowledge.vectors_${knowledgeId.replaceAll('-', '')}`;

/** Creates a base whose documents have one part each with a random vector; every n-th has `rare` in its metadata. */
async function makeBase(dimensions: number, documents: number, rareEvery: number): Promise<string> {
  const id = randomUUID();
  await run(
    `INSERT INTO knowledge_bases (id, workspace_id, name, embedding_provider, embedding_model, dimensions, chunk_size,
       chunk_overlap) VALUES ($1, $2, 'k', 'openai', 'm', $3, 800, 100)`,
    [id, workspaceId, dimensions],
  );
  await run(
    `INSERT INTO knowledge_documents (id, workspace_id, knowledge_id, metadata, status, chunk_size, chunk_overlap, parts, tokens)
     SELECT gen_random_uuid(), $1, $2, jsonb_build_object('rare', n % $4 = 0), 'READY', 800, 100, 1, 1
     FROM generate_series(1, $3) n`,
    [workspaceId, id, documents, rareEvery],
  );
  await run(
    `INSERT INTO ${tableOf(id)} (chunk_id, document_id, embedding)
     SELECT gen_random_uuid(), d.id, (SELECT array_agg(random() - 0.5 + 0 * (g + length(d.id::text))) FROM generate_series(1, $2) g)::real[]::vector
     FROM knowledge_documents d WHERE d.knowledge_id = $1`,
    [id, dimensions],
  );
  return id;
}

const nearest = async (knowledgeId: string, query: string, limit: number, filter: object = {}) =>
  (
    await run<{ chunk_id: string }>('SELECT chunk_id FROM nearest_knowledge_chunks($1, $2, $3, $4, $5)', [
      ...[workspaceId, knowledgeId, query, limit, JSON.stringify(filter)],
    ])
  ).map((row) => row.chunk_id);

const exact = async (knowledgeId: string, query: string, limit: number, rare?: boolean) =>
  (
    await run<{ chunk_id: string }>(
      `SELECT v.chunk_id FROM ${tableOf(knowledgeId)} v JOIN knowledge_documents d ON d.id = v.document_id
       WHERE $3::boolean IS NULL OR (d.metadata ->> 'rare')::boolean = $3
       ORDER BY (v.embedding <=> $1::vector) + 0 LIMIT $2`,
      [query, limit, rare ?? null],
    )
  ).map((row) => row.chunk_id);

const QUERY = JSON.stringify(Array.from({ length: 8 }, (_, place) => Math.sin(place)));

describe('the vectors of a base', () => {
  test('are found by its index, and a filter never starves the result', async () => {
    const id = await makeBase(8, 6_000, 2);
    const { rows } = await own.database.pool.query(
      `EXPLAIN SELECT chunk_id FROM ${tableOf(id)} v ORDER BY v.embedding <=> '${QUERY}' LIMIT 10`,
    );
    expect(JSON.stringify(rows)).toMatch(/Index Scan using vectors_\w+_embedding_idx/);
    const shared = async (found: Promise<string[]>, wanted: Promise<string[]>) => {
      const [all, right] = [new Set(await found), await wanted];
      expect(all.size).toBe(right.length);
      return right.filter((each) => all.has(each)).length / right.length;
    };
    expect(await shared(nearest(id, QUERY, 20), exact(id, QUERY, 20))).toBeGreaterThanOrEqual(0.95);
    // Many results come from the index, few from comparing each vector.
    expect(await shared(nearest(id, QUERY, 50, { rare: true }), exact(id, QUERY, 50, true))).toBeGreaterThanOrEqual(
      0.9,
    );
    const few = await makeBase(8, 6_000, 600);
    expect(await shared(nearest(few, QUERY, 50, { rare: true }), exact(few, QUERY, 50, true))).toBe(1);
    expect(await nearest(few, QUERY, 50, { rare: 'never' })).toEqual([]);
    expect(await nearest(id, QUERY, 5_000)).toHaveLength(5_000);
  }, 120_000);

  test('read texts by key, however many parts exist', async () => {
    const id = await makeBase(8, 1, 2);
    const [document] = await run<{ id: string }>('SELECT id FROM knowledge_documents WHERE knowledge_id = $1', [id]);
    await run(
      `INSERT INTO knowledge_chunks (id, workspace_id, knowledge_id, document_id, part_number, text, tokens)
       SELECT gen_random_uuid(), $1, $2, $3, n, 'a text', 2 FROM generate_series(1, 5000) n`,
      [workspaceId, id, document?.id],
    );
    await run('ANALYZE knowledge_chunks');
    const { rows } = await own.database.pool.query(
      `EXPLAIN SELECT c.text FROM nearest_knowledge_chunks('${workspaceId}', '${id}', '${QUERY}', 10, '{}') near
         JOIN knowledge_chunks c ON c.id = near.chunk_id`,
    );
    expect(JSON.stringify(rows)).toContain('Index Scan using knowledge_chunks_pkey');
  });

  test('of more than 2,000 dimensions are halves', async () => {
    const id = await makeBase(3_000, 20, 2);
    const [column] = await run<{ type: string }>(
      "SELECT format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'embedding'",
      [tableOf(id)],
    );
    expect(column?.type).toBe('halfvec(3000)');
    const query = JSON.stringify(Array.from({ length: 3_000 }, (_, place) => Math.sin(place)));
    expect(await nearest(id, query, 5)).toHaveLength(5);
    await run('UPDATE knowledge_bases SET dimensions = 16 WHERE id = $1', [id]);
    expect(await nearest(id, JSON.stringify(Array(16).fill(1)), 5)).toEqual([]);
  });

  test('of a document that is not whole are not found, and go with it', async () => {
    const id = await insertKnowledgeRows(own.database, workspaceId);
    expect(await nearest(id, '[1,0,0]', 5)).toEqual([]);
    const [document] = await run<{ id: string }>('SELECT id FROM knowledge_documents WHERE knowledge_id = $1', [id]);
    const [finished] = await run('SELECT finish_knowledge_document($1, $2, $3) AS done', [
      workspaceId,
      id,
      document?.id,
    ]);
    expect(finished).toEqual({ done: true });
    expect(await nearest(id, '[1,0,0]', 5)).toHaveLength(1);
    const store = () =>
      run('SELECT store_knowledge_vectors($1, $2, $3, ARRAY[$4]::uuid[], ARRAY[$5]) AS stored', [
        ...[workspaceId, id, document?.id, randomUUID(), '[0,1,0]'],
      ]);
    expect(await store()).toEqual([{ stored: false }]);
    await run('DELETE FROM knowledge_documents WHERE id = $1', [document?.id]);
    expect(await store()).toEqual([{ stored: false }]);
    expect(await run(`SELECT FROM ${tableOf(id)}`)).toEqual([]);
    expect(await run('SELECT document_count FROM knowledge_bases WHERE id = $1', [id])).toEqual([
      { document_count: 0 },
    ]);
  });

  test('of a document that failed are gone', async () => {
    const id = await insertKnowledgeRows(own.database, workspaceId);
    await run("UPDATE knowledge_documents SET status = 'FAILED', text = NULL WHERE knowledge_id = $1", [id]);
    expect(await run(`SELECT FROM ${tableOf(id)}`)).toEqual([]);
    expect(await run('SELECT FROM knowledge_chunks WHERE knowledge_id = $1', [id])).toEqual([]);
    await run('DELETE FROM knowledge_documents WHERE knowledge_id = $1', [id]);
    expect(await run('SELECT document_count FROM knowledge_bases WHERE id = $1', [id])).toEqual([
      { document_count: 0 },
    ]);
  });
});
