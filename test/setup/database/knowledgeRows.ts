import { randomUUID } from 'node:crypto';
import type { Database } from '../../../prisma/client.ts';

/** Inserts a base of three dimensions with a document in ingestion, and one of its parts with a vector. */
export async function insertKnowledgeRows({ pool }: Pick<Database, 'pool'>, workspaceId: string): Promise<string> {
  const [knowledgeId, documentId, chunkId] = [randomUUID(), randomUUID(), randomUUID()];
  await pool.query(
    `INSERT INTO knowledge_bases (id, workspace_id, name, embedding_provider, embedding_model, dimensions, chunk_size,
       chunk_overlap) VALUES ($1, $2, 'k', 'openai', 'm', 3, 800, 100)`,
    [knowledgeId, workspaceId],
  );
  await pool.query(
    `INSERT INTO knowledge_documents (id, workspace_id, knowledge_id, metadata, text, chunk_size, chunk_overlap)
     VALUES ($1, $2, $3, '{}', 'a text', 800, 100)`,
    [documentId, workspaceId, knowledgeId],
  );
  await pool.query(
    `INSERT INTO knowledge_chunks (id, workspace_id, knowledge_id, document_id, part_number, text, tokens)
     VALUES ($1, $2, $3, $4, 1, 'a text', 2)`,
    [chunkId, workspaceId, knowledgeId, documentId],
  );
  await pool.query('SELECT store_knowledge_vectors($1, $2, $3, ARRAY[$4]::uuid[], ARRAY[$5])', [
    ...[workspaceId, knowledgeId, documentId, chunkId, '[1,0,0]'],
  ]);
  return knowledgeId;
}
