import pgvector from 'pgvector';
import type { Failure } from '../../domain/execution/outcome.ts';
import { isUuid } from '../../domain/isUuid.ts';
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
import type { Reading } from '../fairness/fairPlaces.ts';
import { type Embedders, NotEmbedded } from './embedders.ts';

export type SearchMode = 'hybrid' | 'semantic' | 'text';

export interface KnowledgeQuery {
  workspaceId: string;
  knowledgeId: string;
  query: string;
  /** 1 to 100. */
  limit?: number | undefined;
  mode?: SearchMode | undefined;
  /** Members that the metadata of a document must have. */
  filter?: JsonObject | undefined;
  signal?: AbortSignal | undefined;
  /** Runs each statement; absent: at once. The query is embedded outside of it. */
  reading?: Reading;
}

export interface KnowledgeResult {
  documentId: string;
  groupId: string;
  partNumber: number;
  text: string;
  /** Higher is better; comparable within one answer. */
  score: number;
  metadata: JsonObject;
}

export interface KnowledgeAnswer {
  results: KnowledgeResult[];
  /** The mode that was used: `text` instead of `hybrid` if the query has no vector. */
  mode: SearchMode;
  embeddingFailure?: Failure;
}

interface SearchParts {
  database: Database;
  embedders: Embedders;
}

export const DEFAULT_LIMIT = 10;
/** Results that hybrid takes from each ranking: a part low in one may be high in the other. */
const CANDIDATES = { least: 50, perResult: 4 };

/**
 * Best first. Throws NOT_FOUND for a missing base, VALIDATION_FAILED for a blank query, and
 * in `semantic` mode NotEmbedded if the query has no vector; `hybrid` then searches by text only.
 */
export async function searchKnowledge(parts: SearchParts, query: KnowledgeQuery): Promise<KnowledgeAnswer> {
  requireText('query', query.query);
  const answer = await search(parts, query, await embeddingOf(parts, query));
  // Reports NOT_FOUND, not an empty result, if the base was deleted while the query was embedded.
  if (answer.results.length === 0) await embeddingOf(parts, query);
  return answer;
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
): Promise<KnowledgeAnswer> {
  const { workspaceId, knowledgeId, limit = DEFAULT_LIMIT, filter = {} } = asked;
  const base: SearchedBase = { workspaceId, knowledgeId, limit, filter };
  const byText = (most: number) => reading(() => searchByText(database, { ...base, limit: most }, query));
  if (mode === 'text') return { mode, results: (await byText(limit)).map(resultOf) };

  const semantic = async (most: number) => {
    const [vector] = await embedders.embed(embedding, [query], { isUrgent: true, signal });
    return reading(() => searchByVector(database, { ...base, limit: most }, pgvector.toSql(vector) as string));
  };
  if (mode === 'semantic') return { mode, results: (await semantic(limit)).map(resultOf) };

  const most = Math.max(CANDIDATES.least, limit * CANDIDATES.perResult);
  const [near, worded] = await Promise.all([semantic(most).catch(failureOf), byText(most)]);
  if (!Array.isArray(near)) {
    return { mode: 'text', embeddingFailure: near, results: worded.slice(0, limit).map(resultOf) };
  }
  return { mode, results: fused([near, worded], limit) };
}

function failureOf(error: unknown): Failure {
  if (error instanceof NotEmbedded) return error.failure;
  throw error;
}

function fused(rankings: readonly FoundChunk[][], limit: number): KnowledgeResult[] {
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
