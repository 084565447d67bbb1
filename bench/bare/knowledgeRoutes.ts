import express, { Router } from 'express';
import { countTokens } from 'gpt-tokenizer/encoding/cl100k_base';
import { OpenAI } from 'openai';
import pg from 'pg';
import { splitText } from '../../domain/knowledge/chunk.ts';
import { BATCH, DIMENSIONS, EF_SEARCH, RULES } from '../knowledgeRows.ts';
import { runBlock } from '../load.ts';
import { timed } from '../timing.ts';
import { authenticate } from './authenticate.ts';

export function knowledgeRoutes(databaseUrl: string | undefined, embeddingsUrl: string | undefined): Router {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, options: `-c hnsw.ef_search=${EF_SEARCH}` });
  const provider = new OpenAI({ apiKey: 'sk-bench', baseURL: embeddingsUrl });
  const router = Router();
  router.use(express.json({ limit: '32mb' }));

  async function embed(input: string[]): Promise<number[][]> {
    const { data } = await provider.embeddings.create({
      ...{ model: 'bench', input, dimensions: DIMENSIONS, encoding_format: 'float' },
    });
    return data.map(({ embedding }) => embedding);
  }

  router.post('/search', async (request, response) => {
    const { table, query, limit } = request.body as { table: string; query: string; limit: number };
    const workspaceId = await authenticate(pool, request);
    const [vector] = await embed([query]);
    const { rows } = await pool.query(
      `SELECT c.document_id AS "documentId", c.part_number AS "partNumber", c.text, d.metadata, 1 - v.distance AS score
      FROM (SELECT chunk_id, embedding <=> $1 AS distance FROM ${table} ORDER BY embedding <=> $1 LIMIT $2) v
        JOIN knowledge_chunks c ON c.id = v.chunk_id AND c.workspace_id = $3 JOIN knowledge_documents d ON d.id = c.document_id
      ORDER BY v.distance`,
      [JSON.stringify(vector), limit, workspaceId],
    );
    response.json(rows);
  });

  router.post('/embed', async ({ body }, response) => {
    const texts = splitText(body.text, RULES, (text) => countTokens(text)).map(({ text }) => text);
    let next = 0;
    const batch = () => {
      next += BATCH.parts;
      return embed(texts.slice(next - BATCH.parts, next));
    };
    const { tookMs } = await timed(() => runBlock(Math.ceil(texts.length / BATCH.parts), BATCH.atOnce, batch));
    response.json({ tookMs });
  });
  return router;
}
