import pgvector from 'pgvector';
import type { JsonObject } from '../../domain/json.ts';
import type { Embedding } from '../../domain/knowledge/embedding.ts';
import { fuseRanks } from '../../domain/knowledge/fuseRanks.ts';
import { requireText } from '../../domain/knowledge/requireText.ts';
import type { Database } from '../../prisma/client.ts';
import { readEmbedding } from '../../prisma/store/knowledge/knowledgeBases.ts';
import { KNOWLEDGE } from '../../prisma/store/knowledge/resource.ts';
import {
  type FoundChunk,
  type SearchedBase,
  searchByText,
  searchByVector,
} from '../../prisma/store/knowledge/search.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { isUuid } from '../../prisma/store/resource.ts';
import type { Reading } from '../fairness/fairGate.ts';
import type { Embedders } from './embedders.ts';

export interface KnowledgeQuery {
  workspaceId: string;
  knowledgeId: string;
  query: string;
  /** 1 to 100. */
  limit?: number | undefined;
  mode?: 'hybrid' | 'semantic' | 'text' | undefined;
  /** Members that the metadata of a document must have. */
  filter?: JsonObject | undefined;
  signal?: AbortSignal | undefined;
  /** Runs each statement; at once where absent. The question is embedded outside of it. */
  reading?: Reading;
}

export interface KnowledgeResult {
  documentId: string;
  /** Id of the document's group. */
  groupId: string;
  partNumber: number;
  text: string;
  /** Higher is better; comparable within one answer. */
  score: number;
  metadata: JsonObject;
}

interface SearchParts {
  database: Database;
  embedders: Embedders;
}

export const DEFAULT_LIMIT = 10;
/** Results that hybrid takes from each ranking: a part low in one may be high in the other. */
const CANDIDATES = { least: 50, perResult: 4 };

/**
 * The parts of documents that a question is about, best first. Throws NOT_FOUND where the workspace has no such base,
 * VALIDATION_FAILED for a blank question, and NotEmbedded where it has no vector; `text` needs none.
 */
export async function searchKnowledge(parts: SearchParts, query: KnowledgeQuery): Promise<KnowledgeResult[]> {
  requireText('query', query.query);
  const results = await search(parts, query, await embeddingOf(parts, query));
  // A base that was deleted while the question was embedded is not there, rather than empty.
  if (results.length === 0) await embeddingOf(parts, query);
  return results;
}

async function embeddingOf(
  { database }: SearchParts,
  { workspaceId, knowledgeId, reading = atOnce }: KnowledgeQuery,
): Promise<Embedding> {
  const embedding = isUuid(knowledgeId)
    ? await reading(() => readEmbedding(database, workspaceId, knowledgeId))
    : undefined;
  if (!embedding) throw notFound(KNOWLEDGE);
  return embedding;
}

async function search(
  { database, embedders }: SearchParts,
  { query, mode = 'hybrid', signal, reading = atOnce, ...asked }: KnowledgeQuery,
  embedding: Embedding,
): Promise<KnowledgeResult[]> {
  const { workspaceId, knowledgeId, limit = DEFAULT_LIMIT, filter = {} } = asked;
  const base: SearchedBase = { workspaceId, knowledgeId, limit, filter };
  const byText = (most: number) => reading(() => searchByText(database, { ...base, limit: most }, query));
  if (mode === 'text') return (await byText(limit)).map(resultOf);

  const semantic = async (most: number) => {
    const [vector] = await embedders.embed(embedding, [query], { isUrgent: true, signal });
    return reading(() => searchByVector(database, { ...base, limit: most }, pgvector.toSql(vector) as string));
  };
  if (mode === 'semantic') return (await semantic(limit)).map(resultOf);

  const most = Math.max(CANDIDATES.least, limit * CANDIDATES.perResult);
  const rankings = await Promise.all([semantic(most), byText(most)]);
  const found = new Map(rankings.flat().map((chunk) => [chunk.id, chunk]));
  return fuseRanks(rankings.map((ranking) => ranking.map(({ id }) => id)))
    .slice(0, limit)
    .flatMap(({ id, score }) => {
      const chunk = found.get(id);
      return chunk ? [resultOf({ ...chunk, score })] : [];
    });
}

const atOnce: Reading = (read) => read();

function resultOf({ documentId, partNumber, text, score, metadata }: FoundChunk): KnowledgeResult {
  return { documentId, groupId: documentId, partNumber, text, score, metadata };
}
