import type { ChunkRules } from '../../../domain/knowledge/chunk.ts';
import type { Embedding } from '../../../domain/knowledge/embedding.ts';
import type { Database } from '../../client.ts';

/** By what the base's texts are cut and embedded; undefined where the workspace has no such base. */
export async function readEmbedding(
  database: Database,
  workspaceId: string,
  knowledgeId: string,
): Promise<(Embedding & ChunkRules) | undefined> {
  const found = await database.knowledgeBase.findFirst({
    where: { id: knowledgeId, workspaceId },
    select: { embeddingProvider: true, embeddingModel: true, dimensions: true, chunkSize: true, chunkOverlap: true },
  });
  return (found as (Embedding & ChunkRules) | null) ?? undefined;
}
