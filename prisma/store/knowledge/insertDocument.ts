import type { JsonObject } from '../../../domain/json.ts';
import type { IngestionRef } from '../../../domain/knowledge/ingestion.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface NewDocument {
  name: string | null;
  metadata: JsonObject;
  text: string;
}

/** Returns false if the workspace has no such base. Idempotent by id. */
export async function insertDocument(
  database: Database,
  { workspaceId, knowledgeId, documentId }: IngestionRef,
  { name, metadata, text }: NewDocument,
): Promise<boolean> {
  // Raw: locks the base, so that its model cannot change meanwhile.
  const [row] = await database.$queryRaw<{ there: boolean }[]>(Prisma.sql`
    WITH base AS (
      SELECT id, chunk_size, chunk_overlap FROM knowledge_bases
      WHERE id = ${knowledgeId}::uuid AND workspace_id = ${workspaceId}::uuid FOR UPDATE
    ), inserted AS (
      INSERT INTO knowledge_documents (id, workspace_id, knowledge_id, name, metadata, text, chunk_size, chunk_overlap)
      SELECT ${documentId}::uuid, ${workspaceId}::uuid, base.id, ${name}, ${JSON.stringify(metadata)}::jsonb, ${text},
        chunk_size, chunk_overlap FROM base
      ON CONFLICT (id) DO NOTHING
    )
    SELECT EXISTS (SELECT FROM base) AS there`);
  return row?.there === true;
}
