import type { ChunkRules } from '../../../domain/knowledge/chunk.ts';
import type { Embedding } from '../../../domain/knowledge/embedding.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';

export type NewKnowledgeBase = Embedding &
  ChunkRules & {
    id: string;
    name: string;
    /** Absent: derived from the name. */
    slug?: string | undefined;
    description: string | null;
  };

/** A trigger creates the table of its vectors. Idempotent by id. */
export function insertKnowledgeBase(database: Database, workspaceId: string, base: NewKnowledgeBase): Promise<void> {
  return insertKnowledgeBases(database, workspaceId, [base]);
}

export async function insertKnowledgeBases(
  database: Database,
  workspaceId: string,
  bases: readonly NewKnowledgeBase[],
): Promise<void> {
  if (bases.length === 0) return;
  // Raw: skips a row only if its own id exists, not if another base has its slug.
  await database.$executeRaw(Prisma.sql`
    INSERT INTO knowledge_bases (id, workspace_id, name, slug, description, embedding_provider, embedding_model,
      dimensions, chunk_size, chunk_overlap)
    SELECT id, ${workspaceId}::uuid, name, slug, description, "embeddingProvider", "embeddingModel", dimensions,
      "chunkSize", "chunkOverlap"
    FROM ${recordset(bases, COLUMNS)}
    ON CONFLICT (id) DO NOTHING`);
}

const COLUMNS = {
  id: 'uuid',
  name: 'text',
  slug: 'text',
  description: 'text',
  embeddingProvider: 'text',
  embeddingModel: 'text',
  dimensions: 'int',
  chunkSize: 'int',
  chunkOverlap: 'int',
} as const;

export async function readEmbedding(
  database: Database,
  workspaceId: string,
  knowledgeId: string,
): Promise<(Embedding & ChunkRules) | undefined> {
  const [found] = await rowsOf<Embedding & ChunkRules>(
    database,
    Prisma.sql`
    SELECT embedding_provider AS "embeddingProvider", embedding_model AS "embeddingModel", dimensions,
      chunk_size AS "chunkSize", chunk_overlap AS "chunkOverlap"
    FROM knowledge_bases WHERE id = ${knowledgeId}::uuid AND workspace_id = ${workspaceId}::uuid`,
  );
  return found;
}

export interface NamedBase {
  id: string;
  name: string;
  description: string | null;
}

export async function namedBases(
  database: Database,
  workspaceId: string,
  ids: readonly string[],
): Promise<NamedBase[]> {
  if (ids.length === 0) return [];
  return database.knowledgeBase.findMany({
    where: { workspaceId, id: { in: [...ids] } },
    select: { id: true, name: true, description: true },
    orderBy: { id: 'asc' },
  });
}
