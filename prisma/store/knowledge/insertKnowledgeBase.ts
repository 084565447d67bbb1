import type { ChunkRules } from '../../../domain/knowledge/chunk.ts';
import type { Embedding } from '../../../domain/knowledge/embedding.ts';
import type { Database } from '../../client.ts';

export type NewKnowledgeBase = Embedding & ChunkRules & { id: string; name: string; description: string | null };

/** With the table of its vectors, which a trigger makes. A second try with the same id changes nothing. */
export async function insertKnowledgeBase(
  database: Database,
  workspaceId: string,
  base: NewKnowledgeBase,
): Promise<void> {
  await database.knowledgeBase.createMany({ data: { ...base, workspaceId }, skipDuplicates: true });
}
