import type { Failure } from '../../../domain/execution/outcome.ts';
import type { Chunk, ChunkRules } from '../../../domain/knowledge/chunk.ts';
import type { Embedding } from '../../../domain/knowledge/embedding.ts';
import type { IngestionBatch, IngestionRef } from '../../../domain/knowledge/ingestion.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { bulkRows, recordset } from '../bulkRows.ts';

const documentOf = ({ workspaceId, knowledgeId, documentId }: IngestionRef) => ({
  id: documentId,
  workspaceId,
  knowledgeId,
});

export interface DocumentToSplit {
  text: string;
  rules: ChunkRules;
  embedding: Embedding;
}

export async function readDocumentToSplit(database: Database, ref: IngestionRef): Promise<DocumentToSplit | undefined> {
  const found = await database.knowledgeDocument.findFirst({
    where: { ...documentOf(ref), status: 'INGESTING' },
    select: { text: true, chunkSize: true, chunkOverlap: true, knowledge: true },
  });
  if (!found) return undefined;
  const { text, chunkSize, chunkOverlap, knowledge } = found;
  return { text: text ?? '', rules: { chunkSize, chunkOverlap }, embedding: knowledge as unknown as Embedding };
}

/** Stores parts; existing ones stay. Returns false if the document is not, or no longer, being ingested. */
export async function storeChunks(
  database: Database,
  { workspaceId, knowledgeId, documentId }: IngestionRef,
  chunks: readonly (Chunk & { id: string; partNumber: number })[],
): Promise<boolean> {
  const columns = { id: 'uuid', partNumber: 'int', text: 'text', tokens: 'int' } as const;
  const write = async (some: typeof chunks) => {
    const [row] = await rowsOf<{ there: boolean }>(
      database,
      Prisma.sql`
      WITH document AS (
        SELECT id FROM knowledge_documents
        WHERE id = ${documentId}::uuid AND knowledge_id = ${knowledgeId}::uuid AND workspace_id = ${workspaceId}::uuid
          AND status = 'INGESTING' FOR SHARE
      ), inserted AS (
        INSERT INTO knowledge_chunks (id, workspace_id, knowledge_id, document_id, part_number, text, tokens)
        SELECT r.id, ${workspaceId}::uuid, ${knowledgeId}::uuid, document.id, r."partNumber", r.text, r.tokens
        FROM document, ${recordset(some, columns)}
        ON CONFLICT DO NOTHING
      )
      SELECT EXISTS (SELECT FROM document) AS there`,
    );
    return row?.there === true;
  };
  for await (const isThere of bulkRows(chunks, write)) if (!isThere) return false;
  return true;
}

export interface ChunkToEmbed {
  id: string;
  text: string;
  tokens: number;
}

export function readUnembedded(
  database: Database,
  { workspaceId, knowledgeId, documentId, from, to }: IngestionBatch,
): Promise<ChunkToEmbed[]> {
  // Raw: the base's vectors are in their own table, which a database function names.
  return rowsOf(
    database,
    Prisma.sql`SELECT id, text, tokens FROM unembedded_knowledge_chunks(${workspaceId}::uuid, ${knowledgeId}::uuid,
      ${documentId}::uuid, ${from}::int, ${to}::int)`,
  );
}

/** Stores `vectors`, in pgvector's text format. Returns false if the document is not, or no longer, being ingested. */
export async function storeVectors(
  database: Database,
  { workspaceId, knowledgeId, documentId }: IngestionRef,
  chunkIds: readonly string[],
  vectors: readonly string[],
): Promise<boolean> {
  const [row] = await rowsOf<{ stored: boolean }>(
    database,
    Prisma.sql`SELECT store_knowledge_vectors(${workspaceId}::uuid, ${knowledgeId}::uuid, ${documentId}::uuid,
      ${chunkIds}::uuid[], ${vectors}::text[]) AS stored`,
  );
  return row?.stored === true;
}

/** Makes the document visible. Returns false if it no longer exists, or one of its parts has no vector. */
export async function showDocument(
  database: Database,
  { workspaceId, knowledgeId, documentId }: IngestionRef,
): Promise<boolean> {
  const [row] = await rowsOf<{ finished: boolean }>(
    database,
    Prisma.sql`SELECT finish_knowledge_document(${workspaceId}::uuid, ${knowledgeId}::uuid, ${documentId}::uuid) AS finished`,
  );
  return row?.finished === true;
}

/** Deleting a base locks it before its documents, so the document's counting trigger must not lock in another order. */
const withBaseLocked = ({ workspaceId, knowledgeId, documentId }: IngestionRef) => Prisma.sql`
  EXISTS (SELECT FROM knowledge_bases WHERE id = ${knowledgeId}::uuid AND workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE)
  AND id = ${documentId}::uuid AND knowledge_id = ${knowledgeId}::uuid AND workspace_id = ${workspaceId}::uuid`;

/** Keeps only the reason for the failure: a trigger deletes the parts and vectors. */
export async function failDocument(database: Database, ref: IngestionRef, { code, message }: Failure): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    UPDATE knowledge_documents
    SET status = 'FAILED', failure_code = ${code}, failure = ${message}, text = NULL, tended_at = now()
    WHERE ${withBaseLocked(ref)} AND status = 'INGESTING'`);
}

export type DocumentState = { status: 'INGESTING' | 'READY' } | { status: 'FAILED'; code: string; message: string };

export async function readDocumentState(database: Database, ref: IngestionRef): Promise<DocumentState | undefined> {
  const found = await database.knowledgeDocument.findFirst({
    where: documentOf(ref),
    select: { status: true, failureCode: true, failure: true },
  });
  if (!found) return undefined;
  if (found.status !== 'FAILED') return { status: found.status as 'INGESTING' | 'READY' };
  return { status: 'FAILED', code: found.failureCode ?? '', message: found.failure ?? '' };
}

/** Deletes an incomplete document after its upload has reported the failure. */
export async function dropUnready(database: Database, ref: IngestionRef): Promise<void> {
  await database.$executeRaw(
    Prisma.sql`DELETE FROM knowledge_documents WHERE ${withBaseLocked(ref)} AND status <> 'READY'`,
  );
}
