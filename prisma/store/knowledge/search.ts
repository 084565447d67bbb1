import type { JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { plannedByValue } from '../../preparedStatements.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface SearchedBase {
  workspaceId: string;
  knowledgeId: string;
  limit: number;
  /** Members that the metadata of a document must have; empty: any document. */
  filter: JsonObject;
}

export interface FoundChunk {
  id: string;
  documentId: string;
  partNumber: number;
  text: string;
  metadata: JsonObject;
  /** Higher is more similar. */
  score: number;
}

const SHOWN = Prisma.sql`c.id, c.document_id AS "documentId", c.part_number AS "partNumber", c.text, d.metadata`;

/** Returns the nearest parts first, by cosine similarity to `vector`, which is in pgvector's text format. */
export function searchByVector(
  database: Database,
  { workspaceId, knowledgeId, limit, filter }: SearchedBase,
  vector: string,
): Promise<FoundChunk[]> {
  return rowsOf(
    database,
    Prisma.sql`
    SELECT ${SHOWN}, 1 - near.distance AS score
    FROM nearest_knowledge_chunks(${workspaceId}::uuid, ${knowledgeId}::uuid, ${vector}, ${limit}::int,
        ${JSON.stringify(filter)}::jsonb) near
      JOIN knowledge_chunks c ON c.id = near.chunk_id AND c.workspace_id = ${workspaceId}::uuid
      JOIN knowledge_documents d ON d.id = c.document_id AND d.status = 'READY'
    ORDER BY near.distance`,
  );
}

/** Returns the best parts first, by full text search: any word matches; more words closer together rank higher. */
export function searchByText(
  database: Database,
  { workspaceId, knowledgeId, limit, filter }: SearchedBase,
  query: string,
): Promise<FoundChunk[]> {
  // Raw: plainto_tsquery requires all words, but answers lack some of the question's. Only the operator & has spaces.
  return rowsOf(
    database,
    Prisma.sql`
    WITH asked AS (
      SELECT replace(plainto_tsquery('english', ${query})::text, ' & ', ' | ')::tsquery AS words
    )
    SELECT ${SHOWN}, ts_rank_cd(c.search, asked.words, 32)::float8 AS score
    FROM asked, knowledge_chunks c JOIN knowledge_documents d ON d.id = c.document_id AND d.status = 'READY'
    WHERE ${plannedByValue(Prisma.sql`c.search @@ asked.words`)} AND c.workspace_id = ${workspaceId}::uuid AND c.knowledge_id = ${knowledgeId}::uuid
      AND d.metadata @> ${JSON.stringify(filter)}::jsonb
    ORDER BY score DESC, c.id LIMIT ${limit}::int`,
  );
}
