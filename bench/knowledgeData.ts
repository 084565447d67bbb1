import { randomUUID } from 'node:crypto';
import { DIMENSIONS, FOUND, KNOWN_QUESTIONS, NOISE, TOPICS, VECTORS } from './knowledgeRows.ts';
import type { BenchStack } from './stack.ts';
import { withDatabase } from './workData.ts';

export interface KnownQuestion {
  vector: number[];
  /** Document and number of the nearest parts, by comparing every vector. */
  nearest: string[];
}

export interface FilledBase {
  knowledgeId: string;
  questions: KnownQuestion[];
}

const bases = new WeakMap<BenchStack, Promise<FilledBase>>();

/** Fills a base with VECTORS parts by SQL, since the upload is not measured; returns questions near some of them. */
export function filledBase(stack: BenchStack): Promise<FilledBase> {
  const filled = bases.get(stack) ?? fillBase(stack);
  bases.set(stack, filled);
  return filled;
}

export const vectorsOf = (knowledgeId: string) => `knowledge.vectors_${knowledgeId.replaceAll('-', '')}`;

/** Returns SQL for a random unit vector. It refers to the row, so that each row gets another one. */
const chance = (row: string) =>
  `l2_normalize((SELECT array_agg(random() - 0.5 + 0 * (g + ${row})) FROM generate_series(1, ${DIMENSIONS}) g)::real[]::vector)`;
/** A vector of equal numbers, because pgvector multiplies element by element. */
const NOISE_FACTOR = `array_fill(${NOISE}::real, ARRAY[${DIMENSIONS}])::vector`;
const PARTS_OF_DOCUMENT = 100;
const CHUNK = 10_000;

function fillBase(stack: BenchStack): Promise<FilledBase> {
  const { workspaceId } = stack.credentials;
  const knowledgeId = randomUUID();
  const table = vectorsOf(knowledgeId);
  return withDatabase(stack, async (client) => {
    await client.query(
      `INSERT INTO knowledge_bases (id, workspace_id, name, embedding_provider, embedding_model, dimensions, chunk_size,
        chunk_overlap) VALUES ($1, $2, 'bench', 'openai', 'bench', ${DIMENSIONS}, 800, 100)`,
      [knowledgeId, workspaceId],
    );
    // Build the index once at the end: row by row takes many times as long.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
      WHERE indrelid = '${table}'::regclass AND pg_get_indexdef(indexrelid) LIKE '%hnsw%'`,
    );
    const [index] = indexes;
    if (!index) throw new Error(`${table} has no HNSW index`);
    await client.query(`DROP INDEX ${index.name}`);
    await client.query(
      `CREATE TABLE bench_topics AS SELECT n AS topic, ${chance('n')} AS embedding FROM generate_series(0, ${TOPICS - 1}) n`,
    );
    await client.query(
      `INSERT INTO knowledge_documents (id, workspace_id, knowledge_id, metadata, status, chunk_size, chunk_overlap, parts,
        tokens) SELECT gen_random_uuid(), $1, $2, '{}', 'READY', 800, 100, ${PARTS_OF_DOCUMENT}, 0
      FROM generate_series(1, ${VECTORS / PARTS_OF_DOCUMENT})`,
      [workspaceId, knowledgeId],
    );
    await client.query(
      `INSERT INTO knowledge_chunks (id, workspace_id, knowledge_id, document_id, part_number, text, tokens)
      SELECT gen_random_uuid(), $1, $2, d.id, n, 'Part ' || n || ' of the document ' || d.id, 8
      FROM knowledge_documents d, generate_series(1, ${PARTS_OF_DOCUMENT}) n WHERE d.knowledge_id = $2`,
      [workspaceId, knowledgeId],
    );
    for (let from = 0; from < VECTORS; from += CHUNK) {
      await client.query(
        `INSERT INTO ${table} (chunk_id, document_id, embedding)
        SELECT c.id, c.document_id, l2_normalize(t.embedding + ${NOISE_FACTOR} * ${chance('c.place')})
        FROM (SELECT id, document_id, row_number() OVER (ORDER BY id) AS place FROM knowledge_chunks
          WHERE knowledge_id = $1 ORDER BY id OFFSET ${from} LIMIT ${CHUNK}) c
          JOIN bench_topics t ON t.topic = c.place % ${TOPICS}`,
        [knowledgeId],
      );
    }
    await client.query("SET maintenance_work_mem = '512MB'");
    await client.query(index.definition);
    // The embedded database has no autovacuum.
    await client.query(`ANALYZE ${table}, knowledge_chunks, knowledge_documents`);
    const questions = await questionsOf(client, table);
    await client.query('DROP TABLE bench_topics');
    return { knowledgeId, questions };
  });
}

type Client = Parameters<Parameters<typeof withDatabase>[1]>[0];

/** Returns vectors of the same topics that are not stored, with their nearest neighbours. */
async function questionsOf(client: Client, table: string): Promise<KnownQuestion[]> {
  const { rows } = await client.query<{ vector: string }>(
    `SELECT l2_normalize(embedding + ${NOISE_FACTOR} * ${chance('topic')})::text AS vector
    FROM bench_topics WHERE topic % ${TOPICS / KNOWN_QUESTIONS} = 0`,
  );
  const questions: KnownQuestion[] = [];
  for (const { vector } of rows) {
    const { rows: nearest } = await client.query<{ part: string }>(
      `SELECT c.document_id || ' ' || c.part_number AS part FROM knowledge_chunks c JOIN (
        SELECT chunk_id FROM ${table} ORDER BY (embedding <=> $1::vector) + 0 LIMIT ${FOUND}) v ON v.chunk_id = c.id`,
      [vector],
    );
    questions.push({ vector: JSON.parse(vector), nearest: nearest.map(({ part }) => part) });
  }
  return questions;
}
